//! Names that mean something elsewhere: in C++, in CUDA, in Rust, in the code that kernels and hosts have anyway.

use super::choices::Choices;
use super::grammar::Fuzzed;
use super::{Fate, Ready, batch};
use crate::nvcc;
use crate::report::Report;
use crate::workers;
use accelerate_compiler::Options;
use harness::corpus;
use harness::inputs::Random;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// For parameters, locals and functions.
pub(crate) const NAMES: &str = "alignas and auto bitand char class compl default delete double explicit export float \
    friend goto inline int long namespace new not not_eq operator or private register short signed sizeof template \
    this throw typename union unsigned using void volatile wchar_t xor \
    threadIdx blockIdx blockDim gridDim warpSize dim3 __syncthreads u128 i128 size_t \
    SHARED INLINE NULL NAN INFINITY M_PI EOF assert errno stdin linux unix cudaStreamDefault \
    lane_of_warp minimum maximum load_pack store_pack report accelerate_failure block_team grid_team pack tile_line \
    contract bits_as read_ahead merge_path warp_team thread_of_grid \
    r c of_row of_column left right left_at right_one part parts total step ask finish from start k_end row column \
    row_end tile tiles turn at element team state Index failure epoch failed partials tickets handed group inputs load \
    use_ round counts totals starts shifts digits room own plane item less leaves space scratch launch whole first \
    x y z i j k n w d p q t g h m l s v u o e b a N A I T L \
    r#type r#fn r#match r#impl r#use r#in r#loop r#where r#static \
    device call done on buffer buffer_0 failures PROGRAM SITES outer run lanes columns rows value kernel Kernel \
    f32 u8 bool str usize size Self_ Some_ core accelerate main std rt \
    größe é ß 変数 переменная µ straße ñ __a _b a__b x_1 x_2 v_3 p0_xs t1 xs_pack";

/// No type is called so, and a variable that is stays.
const PRIMITIVES: [&str; 17] = [
    "bf16", "bool", "char", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "isize", "str", "u8",
    "u16", "u32", "u64", "usize",
];

/// What the driver of a program uses, which imports its function.
const DRIVER: [&str; 3] = ["arguments", "device", "value"];

/// Whether every program shall have such names.
pub(super) fn sought() -> bool {
    super::asked("hostile") == Some(1.0)
}

/// Calls things in a program so.
pub(super) fn rename(fuzzed: &mut Fuzzed, names: &[String], choices: &mut Choices) {
    let mut map = BTreeMap::new();
    let taken: BTreeSet<&str> = words(&fuzzed.block).collect();
    let mut free: Vec<&str> = (NAMES.split_whitespace())
        .filter(|name| !taken.contains(name))
        .collect();
    let function = fuzzed.function.clone();
    for name in names.iter().chain([&function]) {
        if !free.is_empty() && !PRIMITIVES.contains(&&**name) && (sought() || choices.chance(1, 2))
        {
            let new = free.swap_remove(choices.below(free.len()));
            if *name != function || !DRIVER.contains(&new) {
                map.insert(name.clone(), new.to_owned());
            }
        }
    }
    apply(fuzzed, &map);
}

/// Replaces names everywhere in a program.
pub(crate) fn apply(fuzzed: &mut Fuzzed, map: &BTreeMap<String, String>) {
    let new = |name: &str| map.get(name).cloned().unwrap_or_else(|| name.to_owned());
    for text in [&mut fuzzed.block, &mut fuzzed.text] {
        *text = replaced(text, &new);
    }
    fuzzed.function = new(&fuzzed.function);
    for ty in fuzzed.parameters.iter_mut().chain(&mut fuzzed.results) {
        *ty = replaced(ty, &new);
    }
    if let Some(bundle) = &mut fuzzed.bundle {
        bundle.name = new(&bundle.name);
        for field in &mut bundle.fields {
            *field = new(field);
        }
    }
    for (name, _) in &mut fuzzed.shapes {
        *name = replaced(name, &new);
    }
    for (name, _) in &mut fuzzed.values {
        *name = replaced(name, &new);
    }
    for (name, _) in fuzzed.lengths.iter_mut().chain(&mut fuzzed.offsets) {
        *name = replaced(name, &new);
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '#'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_letter(c))
        .filter(|word| !word.is_empty())
}

fn replaced(text: &str, new: &dyn Fn(&str) -> String) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(is_letter) {
        let end = rest[begin..]
            .find(|c| !is_letter(c))
            .map_or(rest.len(), |at| begin + at);
        replaced.push_str(&rest[..begin]);
        replaced.push_str(&new(&rest[begin..end]));
        rest = &rest[end..];
    }
    replaced + rest
}

/// A program for each skeleton and each way that it is written.
const PROGRAMS: [&str; 10] = [
    "filter_map",
    "histogram_image",
    "network_bmerge",
    "product_distances",
    "scan_fused",
    "smvm",
    "softmax",
    "sort_by_structs",
    "stencil_gauss",
    "structs",
];

/// Programs of the corpus under other names, as users get them: all as one case.
pub(super) fn run(report: &mut Report, tier: &str, seed: u64) {
    let name = "hostile names";
    if !workers::claims(report.claims(), tier, name) {
        return;
    }
    report.case(tier, name, || {
        let mut ready = Vec::new();
        let mut random = Random(seed);
        for program in PROGRAMS {
            ready.push(
                question(program, &mut random)
                    .map_err(|problem| format!("{program}: {problem}"))?,
            );
        }
        let problems = batch::run(&ready, &format!("hostile-{}", std::process::id()));
        match problems.into_iter().next() {
            None => Ok(()),
            Some((Some(k), problem)) => Err(format!("{problem}\n{}", ready[k].fuzzed.text)),
            Some((None, problem)) => Err(problem),
        }
    });
    report.count(tier, name, PROGRAMS.len());
}

/// A program whose things have other names, with its questions.
fn question(program: &str, random: &mut Random) -> Result<Ready, String> {
    let mut fuzzed = of_corpus(program)?;
    let taken: BTreeSet<&str> = words(&fuzzed.block).collect();
    let mut free: Vec<&str> = (NAMES.split_whitespace())
        .filter(|name| !taken.contains(name))
        .collect();
    let mut map = BTreeMap::new();
    for name in given(&fuzzed.block)? {
        let is_type = name.starts_with(|c: char| c.is_ascii_uppercase());
        let refused = |new: &str| {
            is_type && PRIMITIVES.contains(&new) || name == fuzzed.function && DRIVER.contains(&new)
        };
        let mut at = random.below(free.len() as u64) as usize;
        while refused(free[at]) {
            at = (at + 1) % free.len();
        }
        map.insert(name, free.swap_remove(at).to_owned());
    }
    apply(&mut fuzzed, &map);
    let compiled = match super::compiled(&fuzzed, &Options::default()) {
        Ok(compiled) => compiled,
        Err(Fate::Rejected(problem) | Fate::Failed(_, problem)) => {
            return Err(format!("{problem}\n{}", fuzzed.text));
        }
        Err(Fate::Fine(_)) => return Err("nothing is compiled".to_owned()),
    };
    if let Some(problem) = nvcc::refuses(&compiled.cuda.source) {
        return Err(format!("{problem}\n{}", fuzzed.text));
    }
    let questions = super::questions(&fuzzed, &compiled, random);
    Ok(Ready {
        questions: super::told_alike(&fuzzed, questions),
        fuzzed,
        choices: Choices::of(Vec::new()),
        seed: 0,
    })
}

/// A program of the corpus with its header.
fn of_corpus(program: &str) -> Result<Fuzzed, String> {
    let header = corpus::header(program);
    let block = corpus::tokens(program);
    let file: syn::File = syn::parse2(block.clone()).map_err(|error| error.to_string())?;
    let function = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if matches!(function.vis, syn::Visibility::Public(_)) => {
            Some(function)
        }
        _ => None,
    });
    let signature = &function.ok_or("no function")?.sig;
    // As the driver expects types: without spaces.
    let text = |ty: &syn::Type| quote_text(ty).replace(' ', "").replace(",", ", ");
    let parameters = signature.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(parameter) => Some(text(&parameter.ty)),
        syn::FnArg::Receiver(_) => None,
    });
    let results = match &signature.output {
        syn::ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Tuple(types) => types.elems.iter().map(text).collect(),
            ty => vec![text(ty)],
        },
        syn::ReturnType::Default => Vec::new(),
    };
    Ok(Fuzzed {
        text: corpus::source(program),
        block: block.to_string(),
        function: signature.ident.to_string(),
        parameters: parameters.collect(),
        results,
        bundle: None,
        bundled: false,
        shapes: header.shapes.into_iter().collect(),
        lengths: header.lengths.into_iter().collect(),
        offsets: header.offsets.into_iter().collect(),
        values: header.values.into_iter().collect(),
        power: 3,
    })
}

fn quote_text(ty: &syn::Type) -> String {
    use quote::ToTokens as _;
    ty.to_token_stream().to_string()
}

/// What a program gives names to: functions, types, fields and variables, but for what is the name of a method, too.
fn given(block: &str) -> Result<Vec<String>, String> {
    #[derive(Default)]
    struct Given(BTreeSet<String>, BTreeSet<String>);
    impl<'ast> Visit<'ast> for Given {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            self.0.insert(pattern.ident.to_string());
            visit::visit_pat_ident(self, pattern);
        }
        fn visit_signature(&mut self, signature: &'ast syn::Signature) {
            self.0.insert(signature.ident.to_string());
            visit::visit_signature(self, signature);
        }
        fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
            self.0.insert(item.ident.to_string());
            visit::visit_item_struct(self, item);
        }
        fn visit_field(&mut self, field: &'ast syn::Field) {
            self.0.extend(field.ident.iter().map(ToString::to_string));
            visit::visit_field(self, field);
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.1.insert(call.method.to_string());
            visit::visit_expr_method_call(self, call);
        }
    }
    let file: syn::File = syn::parse_str(block).map_err(|error| error.to_string())?;
    let mut given = Given::default();
    given.visit_file(&file);
    Ok(given.0.difference(&given.1).cloned().collect())
}
