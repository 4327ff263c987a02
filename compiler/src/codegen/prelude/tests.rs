//! Which items a file gets, and that none is overlooked.

use super::*;

#[test]
fn every_item_declares_something() {
    for item in OWN.items.iter().filter(|item| !item.heading) {
        assert!(!declared(item.text).is_empty(), "{}", item.text);
    }
}

#[test]
fn declarations_of_all_kinds_have_names() {
    let all = "#define ROOM(a) \\\n    other(a)\ntypedef unsigned int u32;\ntemplate <int bytes> struct of;\n\
        template <> struct of<1> : base<2> { typedef u8 exact; };\ntemplate <class T> using is = typename of<sizeof(T)>::it;\n\
        template <class T, int N> INLINE auto sum(T a) -> decltype(a) { return a < N ? one(a) : two; }\n\
        template <> INLINE f32 least<f32>(f32 a)\n{\n    return a; // and(more)\n}\nINLINE u32 lane() { return 0; }";
    let names = ["ROOM", "is", "lane", "least", "of", "sum", "u32"];
    assert_eq!(Vec::from_iter(declared(all)), names);
}

#[test]
fn an_item_ends_outside_of_braces_and_conditions() {
    let text = "// Of both.\n\n#ifdef A\nint a;\n\n#else\nint b;\n#endif\n\nstruct c {\n    int d;\n\n    int e;\n};\nint f;\n";
    let parts = ["// Of both.", "#ifdef A\nint a;\n\n#else\nint b;\n#endif"];
    assert_eq!(paragraphs(text)[..2], parts);
    assert_eq!(paragraphs(text).len(), 3);
}

#[test]
fn a_file_has_what_its_kernels_use_and_no_more() {
    let text = "// Sums.\n\nint one();\n\nint two() { return one(); }\n\n// Others.\n\nint three();\n\n// More.\n\nint two(int);\n\nint four();";
    let prelude = Prelude::parse(text);
    // `three` is in a comment alone.
    let needed = prelude.needed("int all() { return two(); } // three");
    assert_eq!(
        needed,
        "// Sums.\n\nint one();\n\nint two() { return one(); }\n\n// More.\n\nint two(int);\n\n"
    );
    assert_eq!(prelude.needed(""), "");
}

#[test]
fn specialisations_come_with_what_they_specialise() {
    let needed = OWN.needed("minimum<u32>(a, b)");
    assert!(needed.contains("f64 minimum<f64>"), "{needed}");
    assert!(!needed.contains("struct grid_team"), "{needed}");
}
