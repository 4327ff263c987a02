//! The pipeline: a block's tokens through every stage, and the results as text.

use crate::codegen::host::{Artifact, Built, refusal};
use crate::codegen::{cuda, host, names};
use crate::diag::{Diagnostic, Errors};
use crate::ir::Program;
use crate::options::Options;
use crate::pass::{Fired, Watch};
use crate::plan::Plan;
use crate::spans::Spans;
use crate::typed::PRIMITIVES;
use crate::{check, contracts, failing, foreign, fuse, lower, pass, syntax, typed, visits};
use proc_macro2::{Span, TokenStream};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Told what the compiler does, as it does it. Whoever wants to know how long that takes brings the clock: the compiler has
/// none.
pub trait Observer: Send {
    /// A stage of a function begins, and the one before it has ended. The stages of the whole block have no function.
    fn begin(&mut self, function: Option<&str>, stage: &'static str);

    /// What a pass has made of a function, and how often it has applied each of its rules.
    fn after(&mut self, _function: &str, _pass: &'static str, _program: &Program, _fired: &Fired) {}

    /// The last stage has ended.
    fn end(&mut self) {}
}

/// What the passes of one function tell.
struct OfFunction<'a> {
    name: &'a str,
    observer: &'a mut dyn Observer,
}

impl Watch for OfFunction<'_> {
    fn begin(&mut self, stage: &'static str) {
        self.observer.begin(Some(self.name), stage);
    }

    fn after(&mut self, pass: &'static str, program: &Program, fired: &Fired) {
        self.observer.after(self.name, pass, program, fired);
    }
}

/// Nobody listens.
impl Observer for () {
    fn begin(&mut self, _function: Option<&str>, _stage: &'static str) {}
}

/// A compiled block.
pub struct Unit {
    /// Its items.
    pub block: typed::Block,
    /// Its public functions that have no errors, in source order.
    pub functions: Vec<Compiled>,
    /// The functions of `impl`s that the host has: those without arrays.
    methods: Vec<Compiled>,
    /// What is wrong.
    pub errors: Vec<Diagnostic>,
    /// Public functions with errors.
    failed: Vec<typed::Host>,
    /// What the host does not know, or need not.
    names: host::Names,
}

/// A compiled function.
#[derive(Debug)]
pub struct Compiled {
    /// Its name.
    pub name: String,
    /// Its position in the block.
    pub function: usize,
    /// What numbers of spans in it stand for.
    pub spans: Spans,
    /// As lowered, before any pass.
    pub lowered: Program,
    /// After the passes.
    pub program: Program,
    /// What runs.
    pub plan: Plan,
    /// The kernels as CUDA C.
    pub cuda: cuda::Module,
    /// Of what the artifact is made of, sixteen hexadecimal digits: what build script and macro agree on.
    pub hash: String,
    /// The file name of the PTX; none if there are no kernels.
    pub artifact: Option<String>,
    /// A function without arrays: it becomes plain Rust.
    pub plain: bool,
}

/// Compiles the tokens of one `accelerate!` invocation. Errors are the user's, and are in the result.
pub fn compile(tokens: TokenStream, options: &Options) -> Unit {
    compile_observed(tokens, options, &mut ())
}

/// See [`compile`].
pub fn compile_observed(
    tokens: TokenStream,
    options: &Options,
    observer: &mut dyn Observer,
) -> Unit {
    let mut errors = Errors::default();
    observer.begin(None, "parse");
    let mut written = syntax::parse(tokens.clone(), &options.sources.modules, &mut errors);
    let names = host::Names::new(tokens, &written);
    let mut failed = std::mem::take(&mut written.failed);
    let attempt = AssertUnwindSafe(|| {
        observer.begin(None, "check");
        check::check(&written, &mut errors)
    });
    let mut block = catch_unwind(attempt).unwrap_or_else(|panic| {
        let message = format!(
            "internal error while checking this block: {}",
            text(&*panic)
        );
        errors.push(Diagnostic::new(Span::call_site(), message).help(REPORT));
        typed::Block::default()
    });
    foreign::read(&mut block, &options.sources.files, &mut errors);
    failed.append(&mut block.failed);
    let mut functions = Vec::new();
    for (position, source) in block.functions.iter().enumerate() {
        if matches!(source.host, typed::Host::Helper) {
            continue;
        }
        // A bug of ours must not cost the user the other functions, nor the build.
        let attempt = AssertUnwindSafe(|| function(&block, position, options, observer));
        let outcome = catch_unwind(attempt).unwrap_or_else(|panic| Err(vec![bug(source, &*panic)]));
        match outcome {
            Ok(compiled) => {
                if !compiled.plain && host::is_alone(&block, &source.name) {
                    errors.push(alone(source));
                }
                functions.push(compiled);
            }
            Err(diagnostics) => {
                failed.push(source.host.clone());
                // What is wrong with a helper is so in each function that calls it.
                diagnostics.into_iter().for_each(|d| errors.push_new(d));
            }
        }
    }
    let methods = methods(&block, options, observer, &mut errors);
    observer.end();
    Unit {
        block,
        functions,
        methods,
        errors: errors.into_vec(),
        failed,
        names,
    }
}

/// The functions of `impl`s that the host has. Errors that a function has told are not told again.
fn methods(
    block: &typed::Block,
    options: &Options,
    observer: &mut dyn Observer,
    errors: &mut Errors,
) -> Vec<Compiled> {
    let mut methods = Vec::new();
    for (position, source) in block.functions.iter().enumerate() {
        if source.method.is_none() {
            continue;
        }
        let attempt = AssertUnwindSafe(|| function(block, position, options, observer));
        let outcome = catch_unwind(attempt).unwrap_or_else(|panic| Err(vec![bug(source, &*panic)]));
        match outcome {
            Ok(compiled) if compiled.plain => methods.push(compiled),
            // It has arrays.
            Ok(_) => {}
            Err(diagnostics) => diagnostics.into_iter().for_each(|d| errors.push_new(d)),
        }
    }
    methods
}

/// One function from the typed tree to code.
fn function(
    block: &typed::Block,
    position: usize,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Compiled, Vec<Diagnostic>> {
    let source = &block.functions[position];
    let name = source.name.to_string();
    let mut watch = OfFunction {
        name: &name,
        observer,
    };
    watch.begin("lower");
    let (lowered, spans) = lower::lower(block, position)?;
    let plain = host::is_plain(source, &lowered);
    let (program, planned) = with_stack(lowered.ids().len(), || {
        let program = pass::run_watched(lowered.clone(), options, &mut watch);
        let planned = fuse::supported(&program).map(|()| {
            let plan = fuse::fuse_watched(&program, options, &mut watch);
            watch.begin("cuda");
            let cuda = cuda::write(&plan, options.tiles);
            watch.begin("hash");
            let hash = fingerprint(&plan, &cuda);
            (plan, cuda, hash)
        });
        (program, planned)
    });
    failing::hold(&program, &spans)?;
    let unsupported = |one: fuse::Unsupported| {
        let at = one.span.map_or(source.name.span(), |span| spans.get(span));
        Diagnostic::new(at, one.message).help(one.help)
    };
    let (plan, cuda, hash) =
        planned.map_err(|all: Vec<_>| -> Vec<_> { all.into_iter().map(unsupported).collect() })?;
    if !options.without_contracts {
        contracts::hold(&source.attributes, &plan, &spans)?;
    }
    let file = names::file(&name);
    let artifact = (!plan.kernels.is_empty()).then(|| format!("{file}-{hash}.images"));
    Ok(Compiled {
        name,
        function: position,
        spans,
        lowered,
        program,
        plan,
        cuda,
        hash,
        artifact,
        plain,
    })
}

/// Of the thread that compiles a function, for each node of the program: reserved, not used. The passes go down an expression as deep
/// as it is, and an unrolled loop is thousands of operations deep.
const STACK_OF_NODE: usize = 1 << 16;
/// The least and the most of it.
const STACK: [usize; 2] = [1 << 25, 1 << 30];

/// Does this on a thread with room for deep recursion, of a program of so many nodes.
fn with_stack<T: Send>(nodes: usize, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let [least, most] = STACK;
        let size = nodes.saturating_mul(STACK_OF_NODE).clamp(least, most);
        let thread = std::thread::Builder::new().stack_size(size);
        let counted = || (work(), visits::visits());
        let thread = thread.spawn_scoped(scope, counted).expect("a thread");
        let (value, visited) = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        visits::add(visited);
        value
    })
}

/// FNV-1a of the plan and the CUDA C: the same in every process and on every machine. Programs of one text may have
/// different plans, so the program is not enough.
fn fingerprint(plan: &Plan, cuda: &cuda::Module) -> String {
    let text = plan.to_string();
    let bytes = text.bytes().chain(cuda.source.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

impl Compiled {
    fn artifact(&self, built: Built) -> Artifact<'_> {
        Artifact {
            plan: &self.plan,
            spans: &self.spans,
            cuda: &self.cuda,
            hash: &self.hash,
            file: self.artifact.as_deref(),
            built,
        }
    }

    fn built(&self, exists: impl Fn(&str) -> bool) -> Built {
        match &self.artifact {
            Some(artifact) if exists(artifact) => Built::Images,
            Some(artifact) if exists(&refusal(artifact)) => Built::Refused,
            _ => Built::Nothing,
        }
    }
}

/// A function whose companion would be another type.
fn alone(source: &typed::Function) -> Diagnostic {
    let name = &source.name;
    let kind = match PRIMITIVES.iter().any(|primitive| name == primitive) {
        true => "a primitive type",
        false => "a type of this block",
    };
    let message = format!("this function has no `{name}::PLAN`: `{name}` is {kind}");
    Diagnostic::warning(name.span(), message).help("give the function another name")
}

const REPORT: &str = "this is a bug in accelerate: please report it with the function";

/// A panic of a stage.
fn bug(source: &typed::Function, panic: &(dyn Any + Send)) -> Diagnostic {
    let name = &source.name;
    let message = format!("internal error while compiling `{name}`: {}", text(panic));
    Diagnostic::new(name.span(), message).help(REPORT)
}

/// What a panic says.
fn text(panic: &(dyn Any + Send)) -> &str {
    (panic.downcast_ref::<String>().map(String::as_str))
        .or(panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

impl Unit {
    /// What the compiled functions were, and whether they become plain Rust.
    pub fn sources(&self) -> impl Iterator<Item = (&typed::Function, bool)> {
        let source =
            |compiled: &Compiled| (&self.block.functions[compiled.function], compiled.plain);
        self.functions.iter().map(source)
    }

    /// The expansion. `exists` says whether a file of this name lies in `OUT_DIR/accelerate`: an artifact, or its [`refusal`].
    pub fn expand(&self, exists: impl Fn(&str) -> bool) -> TokenStream {
        if self.is_expression() {
            return self.expand_expression(exists);
        }
        let mut tokens: TokenStream = self.errors.iter().map(Diagnostic::to_tokens).collect();
        tokens.extend(self.names.mention());
        tokens.extend(host::structs(&self.block, &self.names));
        tokens.extend(host::constants(&self.block));
        tokens.extend(host::foreign_files(&self.block));
        for compiled in &self.functions {
            let built = compiled.built(&exists);
            let attempt = AssertUnwindSafe(|| self.expand_function(compiled, built));
            tokens.extend(catch_unwind(attempt).unwrap_or_else(|panic| {
                let source = &self.block.functions[compiled.function];
                let stub = host::stub(&self.block, &source.host, &self.names);
                [bug(source, &*panic).to_tokens(), stub]
                    .into_iter()
                    .collect()
            }));
        }
        for compiled in &self.methods {
            let source = &self.block.functions[compiled.function];
            let artifact = compiled.artifact(Built::Nothing);
            tokens.extend(host::method(&self.block, source, artifact));
        }
        tokens.extend((self.failed.iter()).map(|host| host::stub(&self.block, host, &self.names)));
        tokens
    }

    /// The expansion of one function.
    pub fn expand_function(&self, compiled: &Compiled, built: Built) -> TokenStream {
        let source = &self.block.functions[compiled.function];
        host::function(
            &self.block,
            source,
            compiled.plain,
            compiled.artifact(built),
        )
    }

    fn is_expression(&self) -> bool {
        let expression = |host: &typed::Host| matches!(host, typed::Host::Expression { .. });
        (self.block.functions.iter()).any(|function| expression(&function.host))
            || self.failed.iter().any(expression)
    }

    /// An expression is one function; its errors stand inside a block, before a value of any type.
    fn expand_expression(&self, exists: impl Fn(&str) -> bool) -> TokenStream {
        let value = match self.functions.first() {
            Some(compiled) => self.expand_function(compiled, compiled.built(exists)),
            None => quote::quote!(::core::unimplemented!("this program has errors")),
        };
        let diagnostics = self.errors.iter().map(Diagnostic::to_tokens);
        let mention = self.names.mention();
        let files = host::foreign_files(&self.block);
        quote::quote!({ #mention #files #(#diagnostics)* #value })
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, compile};
    use std::str::FromStr;

    #[test]
    fn plans_that_differ_are_different_artifacts() {
        let text =
            "pub fn f(xs: &Vector<f32>) -> f32 { xs.map(|x| x + 1.0).map(|y| y * 2.0).sum() }";
        let tokens = proc_macro2::TokenStream::from_str(text).expect("Rust");
        let mut options = Options::default();
        let one = compile(tokens.clone(), &options).functions.remove(0);
        options.vertical = false;
        let other = compile(tokens, &options).functions.remove(0);
        assert_eq!(one.program.to_string(), other.program.to_string());
        assert_ne!(one.artifact, other.artifact);
    }

    #[test]
    fn what_only_an_unused_component_reads_need_not_be_stored() {
        let text = "pub fn f(m: &Matrix<[i16; 2]>, r: f32) -> (Matrix<(bool, bool)>, Matrix<i16>) {
            let v = m.rows().map(|row| {
                let t = row.map(|[_, b]| b).fold(0_i16, |l, r| l ^ r);
                let s = row.map(|[a, b]| a * b).fold(7_i16, |l, r| l & r);
                row.map(|_| (s - t).max(3))
            });
            let o = v.map(|x| if r <= r { None } else { Some(x) });
            (o.map(|o| (o.is_some(), o == Some(100_i16))), v)
        }";
        let tokens = proc_macro2::TokenStream::from_str(text).expect("Rust");
        for seed in [2, 7, 15, 20, 21, 30] {
            let mut options = Options {
                seed: Some(seed),
                ..Options::default()
            };
            for pass in ["simplify", "prune"] {
                options.switch_off(pass).expect("a pass");
            }
            let unit = compile(tokens.clone(), &options);
            assert!(unit.errors.is_empty(), "{seed}");
        }
    }
}
