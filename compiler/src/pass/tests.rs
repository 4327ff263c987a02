//! The tables rule by rule, and programs against their simplified forms.

mod fast_math;

use super::*;
use crate::scalar::{Leaf, Scalar};
use crate::sorted::SortedSet as Set;
use rules::{Bindings, Rule};

fn edges(leaf: Leaf) -> Vec<Scalar> {
    match leaf {
        Leaf::Bool => vec![Scalar::bool(false), Scalar::bool(true)],
        Leaf::F32 => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            0.5,
            1.5,
            -3.25,
            f32::MIN_POSITIVE,
            1e-45,
            f32::MAX,
            f32::MIN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            16_777_217.0,
        ]
        .map(Scalar::f32)
        .to_vec(),
        Leaf::F64 => [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.0,
            0.1,
            -2.5,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ]
        .map(Scalar::f64)
        .to_vec(),
        _ => {
            let bits = leaf.bits();
            let mut values: Vec<i64> = vec![0, 1, 2, 3, 5, -1, -2, -7, 100];
            values.extend([1i64 << (bits - 1), (1i64 << (bits - 1)).wrapping_sub(1)]);
            values
                .into_iter()
                .map(|v| Scalar::number(leaf, v))
                .collect()
        }
    }
}

fn check_rule(text: &'static str, leaf: Leaf) {
    let rule = Rule::parse(text);
    let mut names = Set::new();
    rule.left.names(&mut names);
    let mut right = Set::new();
    rule.right.names(&mut right);
    assert!(right.is_subset(&names), "{text}: unbound at the right");
    let values: Vec<(char, Vec<Scalar>)> = names
        .iter()
        .map(|&name| {
            let bool = matches!(name, 'p' | 'q');
            (name, edges(if bool { Leaf::Bool } else { leaf }))
        })
        .collect();
    let total: usize = values.iter().map(|(_, v)| v.len()).product();
    for k in 0..total {
        let (mut rest, mut bindings) = (k, Bindings::new());
        for (name, values) in &values {
            bindings.insert(*name, values[rest % values.len()]);
            rest /= values.len();
        }
        let (a, b) = (
            rule.left.eval(leaf, &bindings),
            rule.right.eval(leaf, &bindings),
        );
        assert!(a.same(b), "{text} on {leaf:?}: {a} and {b} at {bindings:?}");
    }
}

const INTEGERS: [Leaf; 8] = [
    Leaf::I8,
    Leaf::I16,
    Leaf::I32,
    Leaf::I64,
    Leaf::U8,
    Leaf::U16,
    Leaf::U32,
    Leaf::U64,
];

#[test]
fn every_rule_is_exact() {
    for text in rules::INT {
        for leaf in INTEGERS {
            check_rule(text, leaf);
        }
    }
    for text in rules::FLOAT {
        check_rule(text, Leaf::F32);
        check_rule(text, Leaf::F64);
    }
    for text in rules::BOOL {
        check_rule(text, Leaf::Bool);
    }
}

#[test]
fn every_rule_strictly_decreases() {
    let exact = [rules::INT, rules::FLOAT, rules::BOOL];
    let fast = [rules::FAST, rules::CONTRACT, rules::CONTRACT_SINGLE];
    for table in exact.into_iter().chain(fast) {
        for text in table {
            let rule = Rule::parse(text);
            let (left, right) = (rule.left.weight(), rule.right.weight());
            assert!(right < left, "{text}: {left} to {right}");
        }
    }
}

#[test]
fn rejected_rules_have_counterexamples() {
    // What REWRITING.md lists as wrong must not pass this test of rules.
    let refuted = |text: &'static str, leaf: Leaf| {
        std::panic::catch_unwind(|| check_rule(text, leaf)).is_err()
    };
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let results = [
        refuted("x + 0 = x", Leaf::F32),
        refuted("0 - x = -x", Leaf::F32),
        refuted("x * 0 = 0", Leaf::F64),
        refuted("x - x = 0", Leaf::F32),
        refuted("x / x = 1", Leaf::F32),
        refuted("-(x - y) = y - x", Leaf::F32),
        refuted("!(x < y) = y <= x", Leaf::F64),
        refuted("(x * y) / y = x", Leaf::I8),
        refuted("x < y = x - y < 0", Leaf::I8),
        refuted("x < x + 1 = true", Leaf::I8),
        refuted("max(min(x, y), y) = y", Leaf::F32),
    ];
    std::panic::set_hook(hook);
    assert_eq!(results, [true; 11]);
}

mod programs {
    use super::*;
    use crate::ir::eval::{Array, Failed, Output as Value, eval};
    use crate::ir::tests::{fold, place, program, read, rmse, vector};
    use crate::ir::{Check, Failure, Id, Node, Output, Program, Type};
    use crate::scalar::Binary;

    /// How often rules were applied.
    #[derive(Default)]
    struct Counts(SortedMap<String, usize>);

    impl Watch for Counts {
        fn begin(&mut self, _stage: &'static str) {}

        fn after(&mut self, _pass: &'static str, _program: &Program, fired: &Fired) {
            for (rule, count) in fired.rules() {
                *self.0.entry(rule.to_owned()).or_default() += count;
            }
        }
    }

    fn simplify(program: Program) -> (Program, Counts) {
        let mut fired = Counts::default();
        let program = run_watched(program, &Options::default(), &mut fired);
        (program, fired)
    }

    fn array_output(p: &mut Program, array: Id) {
        let extents = p.extents(array).to_vec();
        p.outputs = vec![Output::Array {
            extents,
            leaves: vec![array],
        }];
    }

    #[test]
    fn checked_extents_are_one() {
        let (p, _) = simplify(rmse());
        let text = p.to_string();
        assert!(text.contains("check n == m #0"), "{text}");
        let result = eval(&p, &[], &[vector(&[1.0, 2.0]), vector(&[1.0, 5.0])]);
        assert!(result.is_ok());
        let failed = eval(&p, &[], &[vector(&[1.0]), vector(&[1.0, 5.0])]).unwrap_err();
        assert_eq!(failed.values, [1, 2]);
    }

    #[test]
    fn reverse_of_reverse_is_the_array() {
        let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 1)]);
        let n = p.extents(inputs[0])[0];
        let mut array = inputs[0];
        for _ in 0..2 {
            array = p.generate(vec![n], |p, i| {
                let one = p.usize(1);
                let last = p.binary(Binary::Sub, n, one);
                let at = p.binary(Binary::Sub, last, i[0]);
                read(p, array, &[at])
            });
        }
        array_output(&mut p, array);
        let (p, _) = simplify(p);
        assert_eq!(p.to_string(), "program f(xs: [n]f32) -> [n]f32\n  xs\n");
    }

    #[test]
    fn flatten_of_reshape_is_the_array() {
        // xs reshaped to the shape of m, flattened again.
        let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 1), ("m", Leaf::F32, 2)]);
        let n = p.extents(inputs[0])[0];
        let shape = p.extents(inputs[1]).to_vec();
        let size = p.binary(Binary::Mul, shape[0], shape[1]);
        let condition = p.binary(Binary::Eq, n, size);
        let site = place(&mut p, Failure::ShapeMismatch, "");
        p.checks.push(Check {
            condition,
            site,
            values: vec![n, size],
        });
        let matrix = p.generate(shape.clone(), |p, i| {
            let row = p.binary(Binary::Mul, i[0], shape[1]);
            let at = p.binary(Binary::Add, row, i[1]);
            read(p, inputs[0], &[at])
        });
        let flat = p.generate(vec![size], |p, i| {
            let row = p.binary(Binary::Div, i[0], shape[1]);
            let column = p.binary(Binary::Rem, i[0], shape[1]);
            read(p, matrix, &[row, column])
        });
        array_output(&mut p, flat);
        let (p, _) = simplify(p);
        let text = p.to_string();
        assert!(
            text.ends_with("\n  xs\n") || text.contains("xs[i0]"),
            "{text}"
        );
        assert!(!text.contains('/') && !text.contains('%'), "{text}");
    }

    #[test]
    fn guards_of_safe_reads_go() {
        let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 1)]);
        let n = p.extents(inputs[0])[0];
        let site = place(&mut p, Failure::OutOfBounds, "");
        let guarded = |p: &mut Program, at: Id| {
            let condition = p.binary(Binary::Lt, at, n);
            let value = read(p, inputs[0], &[at]);
            p.add(Node::Guard {
                condition,
                site,
                values: vec![at, n],
                value,
            })
        };
        // Every element plus its right neighbour, if there is one.
        let out = p.generate(vec![n], |p, i| {
            let one = p.usize(1);
            let next = p.binary(Binary::Add, i[0], one);
            let inside = p.binary(Binary::Lt, next, n);
            let here = guarded(p, i[0]);
            let there = guarded(p, next);
            let zero = p.constant(Scalar::f32(0.0));
            let choice = p.add(Node::If {
                condition: inside,
                then: vec![there],
                otherwise: vec![zero],
            });
            let there = p.add(Node::Project(choice, 0));
            p.binary(Binary::Add, here, there)
        });
        array_output(&mut p, out);
        let before = p.clone();
        let (p, report) = simplify(p);
        assert!(!p.to_string().contains("guard"), "{p}");
        assert_eq!(report.0["guard(true, x) = x"], 2);
        let input = [vector(&[1.0, 2.0, 4.0])];
        assert_eq!(eval(&p, &[], &input), eval(&before, &[], &input));
    }

    #[test]
    fn guards_inside_counted_loops_go() {
        let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 1)]);
        let n = p.extents(inputs[0])[0];
        let site = place(&mut p, Failure::OutOfBounds, "");
        let (zero, one) = (p.usize(0), p.usize(1));
        let start = p.constant(Scalar::f32(0.0));
        let k = p.var(Type::Scalar(Leaf::U64));
        let sum = p.var(Type::Scalar(Leaf::F32));
        let (k_read, sum_read) = (p.add(Node::Variable(k)), p.add(Node::Variable(sum)));
        let condition = p.binary(Binary::Lt, k_read, n);
        let value = read(&mut p, inputs[0], &[k_read]);
        let term = p.add(Node::Guard {
            condition,
            site,
            values: vec![k_read, n],
            value,
        });
        let next = [
            p.binary(Binary::Add, k_read, one),
            p.binary(Binary::Add, sum_read, term),
        ];
        let bundle = p.add(Node::Loop {
            state: vec![k, sum],
            initial: vec![zero, start],
            condition,
            next: next.to_vec(),
        });
        let result = p.add(Node::Project(bundle, 1));
        p.outputs = vec![Output::Scalar(vec![result])];
        let (p, _) = simplify(p);
        assert!(!p.to_string().contains("guard"), "{p}");
        let result = eval(&p, &[], &[vector(&[1.0, 2.0, 4.0])]).expect("no failure");
        assert_eq!(result, [Value::Scalar(vec![Scalar::f32(7.0)])]);
    }

    #[test]
    fn a_guard_that_may_fail_stays() {
        let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 1)]);
        let n = p.extents(inputs[0])[0];
        let site = place(&mut p, Failure::OutOfBounds, "");
        let out = p.generate(vec![n], |p, i| {
            let one = p.usize(1);
            let next = p.binary(Binary::Add, i[0], one);
            let condition = p.binary(Binary::Lt, next, n);
            let value = read(p, inputs[0], &[next]);
            let value = p.add(Node::Guard {
                condition,
                site,
                values: vec![next, n],
                value,
            });
            // The value goes, the check stays.
            let zero = p.constant(Scalar::f32(0.0));
            let never = p.binary(Binary::Lt, value, value);
            p.add(Node::Select(never, value, zero))
        });
        array_output(&mut p, out);
        let (p, _) = simplify(p);
        let failed = eval(&p, &[], &[vector(&[1.0, 2.0, 4.0])]).unwrap_err();
        assert_eq!(failed.values, [3, 3]);
    }

    #[test]
    fn unused_state_and_known_branches_go() {
        let (mut p, inputs) = program("f", &[("xs", Leaf::F32, 1)]);
        let n = p.extents(inputs[0])[0];
        let s = fold(&mut p, n, Binary::Add, Some(Scalar::f32(-0.0)), |p, i| {
            read(p, inputs[0], &[i])
        });
        let (zero, one) = (p.usize(0), p.usize(1));
        let vars: Vec<_> = (0..3).map(|_| p.var(Type::Scalar(Leaf::U64))).collect();
        let reads: Vec<_> = vars.iter().map(|&var| p.add(Node::Variable(var))).collect();
        let condition = p.binary(Binary::Lt, reads[0], n);
        let next = [
            p.binary(Binary::Add, reads[0], reads[2]),
            p.binary(Binary::Mul, reads[1], reads[0]),
            reads[2],
        ];
        let bundle = p.add(Node::Loop {
            state: vars,
            initial: vec![zero, one, one],
            condition,
            next: next.to_vec(),
        });
        let result = p.add(Node::Project(bundle, 0));
        let never = p.bool(false);
        let choice = p.add(Node::If {
            condition: never,
            then: vec![s],
            otherwise: vec![result],
        });
        let _ = choice;
        let choice = p.add(Node::If {
            condition: never,
            then: vec![zero],
            otherwise: vec![result],
        });
        let result = p.add(Node::Project(choice, 0));
        p.outputs = vec![Output::Scalar(vec![result])];
        let (p, report) = simplify(p);
        assert_eq!(report.0["unused component"], 1, "{p}");
        assert_eq!(report.0["loop(x, |s| s) = x"], 1, "{p}");
        let result = eval(&p, &[], &[vector(&[1.0, 2.0])]).expect("no failure");
        assert_eq!(result, [Value::Scalar(vec![Scalar::number(Leaf::U64, 2)])]);
    }

    #[test]
    fn passes_can_be_switched_off() {
        for pass in SIMPLIFY {
            let options = Options {
                disabled: [pass.name].into(),
                ..Options::default()
            };
            let p = run(rmse(), &options);
            assert!(eval(&p, &[], &[vector(&[1.0]), vector(&[2.0])]).is_ok());
        }
    }

    /// xorshift
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % n as u64) as usize
        }
    }

    #[test]
    fn random_elements_keep_their_values() {
        use crate::scalar::Unary;
        let mut random = Random(88_172_645_463_325_252);
        for round in 0..300 {
            let leaf = [
                Leaf::F32,
                Leaf::I32,
                Leaf::U8,
                Leaf::F64,
                Leaf::I64,
                Leaf::U64,
            ][round % 6];
            let (mut p, inputs) = program("f", &[("xs", leaf, 1)]);
            let n = p.extents(inputs[0])[0];
            let site = place(&mut p, Failure::OutOfBounds, "");
            let out = p.generate(vec![n], |p, i| {
                let x = read(p, inputs[0], i);
                let mut pool = vec![x];
                for value in edges(leaf) {
                    pool.push(p.constant(value));
                }
                let mut conditions = vec![p.bool(true), p.binary(Binary::Lt, x, pool[3])];
                for _ in 0..4 + random.below(16) {
                    let (a, b) = (
                        pool[random.below(pool.len())],
                        pool[random.below(pool.len())],
                    );
                    let q = conditions[random.below(conditions.len())];
                    let op = [
                        Binary::Add,
                        Binary::Sub,
                        Binary::Mul,
                        Binary::Min,
                        Binary::Max,
                        Binary::Add,
                    ][random.below(6)];
                    let node = match random.below(12) {
                        0 => p.unary(Unary::Neg, a),
                        1 => p.unary(Unary::Abs, a),
                        2 => p.add(Node::Select(q, a, b)),
                        3 => {
                            let compare = [Binary::Lt, Binary::Le, Binary::Eq, Binary::Ne];
                            let c = p.binary(compare[random.below(4)], a, b);
                            conditions.push(c);
                            let not = p.unary(Unary::Not, c);
                            conditions.push(not);
                            conditions.push(p.binary(Binary::And, not, q));
                            a
                        }
                        4 => {
                            let choice = p.add(Node::If {
                                condition: q,
                                then: vec![a],
                                otherwise: vec![b],
                            });
                            p.add(Node::Project(choice, 0))
                        }
                        5 => {
                            let to = [Leaf::F64, Leaf::I16, Leaf::U32, Leaf::I64][random.below(4)];
                            if to == leaf {
                                a
                            } else {
                                let there = p.add(Node::Cast(to, a));
                                p.add(Node::Cast(leaf, there))
                            }
                        }
                        6 if leaf.is_integer() => {
                            let divisor =
                                p.constant(Scalar::number(leaf, 1 + random.below(9) as i64));
                            let op = [Binary::Div, Binary::Rem][random.below(2)];
                            p.binary(op, a, divisor)
                        }
                        7 if random.below(3) == 0 => p.add(Node::Guard {
                            condition: q,
                            site,
                            values: vec![i[0]],
                            value: a,
                        }),
                        _ => p.binary(op, a, b),
                    };
                    pool.push(node);
                }
                pool[pool.len() - 1]
            });
            array_output(&mut p, out);
            let (after, _) = simplify(p.clone());
            let input = [Array {
                extents: vec![edges(leaf).len() as u64],
                leaves: vec![edges(leaf)],
            }];
            let (a, b): (Result<_, Failed>, _) = (eval(&p, &[], &input), eval(&after, &[], &input));
            let same = match (&a, &b) {
                (Ok(a), Ok(b)) => match (&a[0], &b[0]) {
                    (Value::Array { leaves: x, .. }, Value::Array { leaves: y, .. }) => {
                        x[0].iter().zip(&y[0]).all(|(x, y)| x.same(*y))
                    }
                    _ => false,
                },
                (a, b) => a == b || b.is_ok(),
            };
            assert!(same, "{a:?}\n{b:?}\n{p}\n{after}");
            // Simplifying again changes nothing.
            let (again, _) = simplify(after.clone());
            assert_eq!(again.canonical_text(), after.canonical_text());
        }
    }
}
