//! Division and remainder of polynomials, exact where ranges prove it.

use super::Index;
use super::poly::{Poly, greatest_divisor};
use crate::ir::{Id, Node, Program};
use crate::scalar::Binary;

/// `a / b = quotient + rest / divisor` and `a % b = scale * (rest % divisor) + offset`; without a divisor the quotient
/// is whole and the remainder is `rest`.
pub(super) struct Division {
    pub(super) quotient: Poly,
    pub(super) rest: Poly,
    pub(super) divisor: Option<Poly>,
    pub(super) scale: Poly,
    pub(super) offset: Poly,
}

impl Index {
    /// Divides two expressions. `None` unless the dividend is proved not negative and the divisor positive, where
    /// floor and truncation agree.
    pub(super) fn division(&mut self, program: &Program, a: Id, b: Id) -> Option<Division> {
        let (dividend, divisor) = (self.exact(program, a), self.exact(program, b));
        if !self.is_positive(program, &divisor) || !self.is_natural(program, &dividend) {
            return None;
        }
        self.divide(program, &dividend, &divisor)
    }

    /// `dividend >= 0`, `divisor >= 1`.
    fn divide(&mut self, program: &Program, dividend: &Poly, divisor: &Poly) -> Option<Division> {
        let whole = |quotient, rest| Division {
            quotient,
            rest,
            divisor: None,
            scale: Poly::number(1),
            offset: Poly::number(0),
        };
        let mut partial = None;
        let leads: Vec<Vec<Id>> = divisor.terms().map(|(m, _)| m.to_vec()).collect();
        for lead in leads.iter().rev() {
            let Some((quotient, rest)) = dividend.divide(divisor, lead) else {
                continue;
            };
            for step in [0, 1, -1, 2, -2] {
                let shift = Poly::number(step).mul(divisor)?;
                let rest = rest.sub(&shift)?;
                if self.is_natural(program, &rest)
                    && self.proves(program, &divisor.sub(&rest)?.plus(-1))
                {
                    return Some(whole(quotient.plus(step), rest));
                }
            }
            // Worth it only where something was divided out and the rest is known not to be negative.
            if partial.is_none() && !quotient.is_empty() {
                for step in [0, -1] {
                    let rest = rest.sub(&Poly::number(step).mul(divisor)?)?;
                    if rest.len() < dividend.len() && self.is_natural(program, &rest) {
                        partial = Some((quotient.plus(step), rest));
                        break;
                    }
                }
            }
        }
        let (quotient, rest) = partial.unwrap_or_else(|| (Poly::number(0), dividend.clone()));
        let residual = Division {
            quotient,
            rest,
            divisor: Some(divisor.clone()),
            scale: Poly::number(1),
            offset: Poly::number(0),
        };
        Some(self.without_common_factor(program, residual))
    }

    /// `(g*x + c) / (g*d) = (x + c/g) / d` and `(g*x + c) % (g*d) = g * ((x + c/g) % d) + c % g`.
    fn without_common_factor(&mut self, program: &Program, division: Division) -> Division {
        let reduced = || {
            let divisor = division.divisor.as_ref()?;
            let (number, atoms) = division.rest.content();
            let [mut g, constant] = [number, division.rest.constant()];
            for (_, c) in divisor.terms() {
                g = greatest_divisor(g, c.abs());
            }
            let mut common = Vec::new();
            for atom in atoms {
                let candidate = [&common[..], &[atom]].concat();
                let divides = divisor.exact_quotient(1, &candidate).is_some();
                if divides && constant == 0 {
                    common = candidate;
                }
            }
            if g <= 1 && common.is_empty() {
                return None;
            }
            let low = constant.rem_euclid(g.max(1));
            let g = g.max(1);
            let rest = division.rest.plus(-low).exact_quotient(g, &common)?;
            let divisor = divisor.exact_quotient(g, &common)?;
            let scale = Poly::term(&common, g);
            Some((rest, divisor, scale, Poly::number(low)))
        };
        let Some((rest, divisor, scale, offset)) = reduced() else {
            return division;
        };
        // The monomial taken out of both sides is an atom of the divisor, hence not zero.
        if !self.is_positive(program, &divisor) || !self.is_natural(program, &rest) {
            return division;
        }
        let (quotient, rest_left, divisor_left) = match self.divide(program, &rest, &divisor) {
            Some(inner) if inner.divisor.is_none() => (inner.quotient, inner.rest, None),
            _ => (Poly::number(0), rest, Some(divisor)),
        };
        let total = division.quotient.add(&quotient);
        let scaled = scale.mul(&rest_left).and_then(|rest| rest.add(&offset));
        match (total, divisor_left, scaled) {
            (Some(quotient), None, Some(rest)) => Division {
                quotient,
                rest,
                divisor: None,
                ..division
            },
            (Some(quotient), Some(divisor), _) => Division {
                quotient,
                rest: rest_left,
                divisor: Some(divisor),
                scale,
                offset,
            },
            _ => division,
        }
    }

    /// `top / b` rounded down, if that is a polynomial.
    pub(super) fn whole_quotient(
        &mut self,
        program: &Program,
        top: &Poly,
        b: &Poly,
    ) -> Option<Poly> {
        if let (Some(top), Some(b)) = (top.as_number(), b.as_number()) {
            return Some(Poly::number(top.div_euclid(b)));
        }
        for lead in b.terms().map(|(m, _)| m.to_vec()).collect::<Vec<_>>() {
            let Some((quotient, rest)) = top.divide(b, &lead) else {
                continue;
            };
            for step in [0, -1, 1] {
                let rest = rest.sub(&Poly::number(step).mul(b)?)?;
                if self.is_natural(program, &rest) && self.proves(program, &b.sub(&rest)?.plus(-1))
                {
                    return Some(quotient.plus(step));
                }
            }
        }
        None
    }

    /// `k*d*(x/d) + k*(x%d) = k*x`.
    pub(super) fn recombined(&mut self, program: &Program, poly: Poly) -> Poly {
        let mut poly = poly;
        for rem in poly.atoms() {
            let Node::Binary(Binary::Rem, a, b) = *program.node(rem) else {
                continue;
            };
            let Some(div) = program.find(&Node::Binary(Binary::Div, a, b)) else {
                continue;
            };
            let Some((factor, _)) = poly.split(rem).filter(|(f, _)| !f.is_empty()) else {
                continue;
            };
            // As integers, the identity holds for truncation and any sign.
            let (x, d) = (self.exact(program, a), self.exact(program, b));
            let recombine = || {
                let whole = d.mul(&Poly::atom(div))?.add(&Poly::atom(rem))?;
                poly.sub(&factor.mul(&whole)?)?.add(&factor.mul(&x)?)
            };
            if let Some(shorter) = recombine().filter(|p| p.len() < poly.len()) {
                poly = shorter;
            }
        }
        poly
    }
}
