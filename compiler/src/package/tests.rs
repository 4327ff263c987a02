//! Packages of some files.

use super::*;
use crate::sources::Reader;

/// A package made of these files, and what is seen of it.
fn with_package<T>(test: &str, files: &[(&str, &str)], see: impl FnOnce(&Package) -> T) -> T {
    let directory =
        std::env::temp_dir().join(format!("accelerate-scan-{test}-{}", std::process::id()));
    for (name, text) in files {
        let path = directory.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let seen = see(&Package::new(&directory));
    std::fs::remove_dir_all(&directory).unwrap();
    seen
}

/// The names of the functions found in its blocks.
fn found(test: &str, files: &[(&str, &str)]) -> Vec<String> {
    let blocks = with_package(test, files, |package| package.blocks().blocks);
    let mut names: Vec<String> = blocks
        .into_iter()
        .map(|block| block.tokens.into_iter().nth(1).unwrap().to_string())
        .collect();
    names.sort();
    names
}

/// What a crate of a package reads of modules.
#[test]
fn modules_are_found_by_their_paths() {
    let files = [
        (
            "Cargo.toml",
            "[package]\nname = \"my-crate\"\n[[bin]]\nname = \"odd\"\npath = \"odd/main.rs\"\n",
        ),
        (
            "src/lib.rs",
            "pub mod a; mod empty {} accelerate! { fn root() {} } fn f() { accelerate! { fn inside() {} } }",
        ),
        (
            "src/a.rs",
            "pub mod b { accelerate! { fn first() {} } other! { accelerate! { fn hidden() {} } }
            accelerate! { fn second() {} } }",
        ),
        ("odd/main.rs", "mod c;"),
        ("odd/c.rs", "accelerate! { fn of_program() {} }"),
        ("tests/my_crate.rs", "accelerate! { fn of_test() {} }"),
        ("data.txt", "text"),
    ];
    with_package("paths", &files, |package| {
        let named = |name: &str, program: bool, file: &str| Crate::Named {
            name: name.to_owned(),
            program,
            file: Some(package.directory.join(file)),
        };
        let read = |of: Crate, path: &str| package.reader(of).module(path);
        let library = || named("my_crate", false, "src/a.rs");
        let texts = |list: &[&str]| {
            Ok(list
                .iter()
                .map(|name| format!("fn {name} () {{ }}"))
                .collect())
        };
        assert_eq!(read(library(), "crate"), texts(&["root"]));
        assert_eq!(read(library(), "crate::a::b"), texts(&["first", "second"]));
        assert_eq!(read(library(), "crate::a"), texts(&[]));
        assert_eq!(read(library(), "crate::empty"), texts(&[]));
        let test = named("my_crate", false, "tests/my_crate.rs");
        assert_eq!(read(test.clone(), "crate"), texts(&["of_test"]));
        assert_eq!(read(test, "my_crate"), texts(&["root"]));
        let program = named("odd", true, "odd/c.rs");
        assert_eq!(read(program.clone(), "crate::c"), texts(&["of_program"]));
        assert_eq!(read(program, "my_crate::a::b"), texts(&["first", "second"]));
        let root = Crate::Root(package.directory.join("odd/main.rs"));
        assert_eq!(read(root, "crate::c"), texts(&["of_program"]));
        for (path, reason) in [
            ("crate::gone", "there is no module `crate::gone`"),
            ("serde::de", "`serde` is another package"),
        ] {
            assert_eq!(read(library(), path), Err(reason.to_owned()));
        }
        let reader = package.reader(library());
        assert_eq!(reader.file("data.txt"), Ok("text".to_owned()));
        assert!(reader.file("gone.txt").is_err());
    });
}

#[test]
fn modules_are_followed_from_every_root() {
    let names = found(
        "modules",
        &[
            (
                "src/lib.rs",
                "mod a; #[path = \"other/c.rs\"] mod b; mod d { mod e; accelerate! { fn d() {} } }",
            ),
            ("src/a.rs", "mod f; accelerate::accelerate! { fn a() {} }"),
            ("src/a/f.rs", "fn g() { accelerate! { fn f() {} } }"),
            ("src/other/c.rs", "mod h; accelerate! { fn c() {} }"),
            ("src/other/h.rs", "accelerate! { fn h() {} }"),
            ("src/d/e/mod.rs", "accelerate! { fn e() {} }"),
            ("tests/t.rs", "other_macro! { accelerate! { fn t() {} } }"),
            ("examples/x/main.rs", "include!(\"y.rs\");"),
            ("examples/x/y.rs", "accelerate! { fn x() {} }"),
            (
                "Cargo.toml",
                "[[bench]]\nname = \"b\"\npath = \"odd/b.rs\"\n",
            ),
            ("odd/b.rs", "accelerate! { fn odd() {} }"),
            ("src/unused.rs", "accelerate! { fn unused() {} }"),
        ],
    );
    assert_eq!(names, ["a", "c", "d", "e", "f", "h", "odd", "t", "x"]);
}

#[test]
fn a_broken_file_hides_no_other() {
    let names = found(
        "broken",
        &[
            ("src/lib.rs", "mod a; mod gone; fn ("),
            (
                "src/main.rs",
                "mod a; fn f( -> accelerate! { fn b() {} } ) {}",
            ),
            ("src/a.rs", "accelerate! { fn a() {} }"),
        ],
    );
    assert_eq!(names, ["a", "b"]);
}
