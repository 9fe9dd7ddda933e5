# Writes libokra as one file. Called by single.sh, from the top folder, with the variables
#   what     "header" or "source"
#   headers  public headers, in order       plain  sources that are compiled once
#   version  of the library                 typed  sources that are compiled for each precision
#   first    of the typed sources, what random numbers need
#
# Names that a source keeps to itself get its name behind them (step in lms.c becomes step_lms), because here they meet. Those that depend
# on the precision are macros for a name that has it too, as in the tree (src/core/real.h).
# The sources are laid out by clang-format, and that is all of C that is understood here; what goes wrong does not compile.

function fail(message) { print "single: " message > "/dev/stderr"; failed = 1; exit 1 }

function folder(path) { sub(/[^\/]*$/, "", path); return path }

function stem(path) { sub(/.*\//, "", path); sub(/\..*/, "", path); return path }

# "src/map/" and "../core/x.h" to src/core/x.h
function join(dir, name) {
    while (sub(/^\.\.\//, "", name))
        sub(/[^\/]+\/$/, "", dir)
    return dir name
}

# The file's text without include guards and includes; what has no guard belongs where it is included. Fills in needs[path], the local
# headers that it includes, and system, all others.
function load(path,   text, n, line, lines, i, guard, name, dir) {
    if (path in loaded)
        return loaded[path]
    dir = folder(path)
    n = 0
    while ((i = (getline line < path)) > 0)
        lines[++n] = line
    close(path)
    if (i < 0)
        fail("cannot read " path)
    for (i = 1; i <= n; i++) {
        line = lines[i]
        if (line ~ /^#ifndef OKRA_[A-Z0-9_]*_H$/ && lines[i + 1] == "#define " substr(line, 9)) {
            guard = 1
            i++
        } else if (guard && i == n && line == "#endif") {
            continue
        } else if (line ~ /^#include ["<]/) {
            name = line
            gsub(/^#include ["<]|[">].*$/, "", name)
            if (line ~ /^#include <okra\//)
                continue
            else if (line ~ /^#include </)
                system_header[name] = 1
            else if (load(join(dir, name)) != "" && !(join(dir, name) in guarded))
                text = text load(join(dir, name))
            else
                needs[path] = needs[path] " " join(dir, name)
        } else {
            text = text line "\n"
        }
    }
    if (guard)
        guarded[path] = 1
    return loaded[path] = text
}

# Whether a header depends on the precision.
function is_typed(path,   list, n, i) {
    load(path)
    if (path ~ /core\/real\.h$/)
        return 1
    n = split(needs[path], list, " ")
    for (i = 1; i <= n; i++)
        if (is_typed(list[i]))
            return 1
    return 0
}

# ---- tokens ----------------------------------------------------------------------------------------------------------------------------

# Takes the next token off `rest`, into `token` and `class`: name, comment, space, other.
function next_token() {
    class = "other"
    if (in_comment || rest ~ /^\/\*/) {
        class = "comment"
        in_comment = !match(in_comment ? rest : "  " substr(rest, 3), /\*\//)
        if (in_comment)
            RLENGTH = length(rest)
        else
            RLENGTH += RSTART - 1
    } else if (match(rest, /^[A-Za-z_][A-Za-z0-9_]*/)) {
        class = "name"
    } else if (match(rest, /^[ \t]+/)) {
        class = "space"
    } else if (!match(rest, /^"([^"\\]|\\.)*"/) && !match(rest, /^'([^'\\]|\\.)*'/) && !match(rest, /^\.?[0-9]([eEpP][-+]|[0-9A-Za-z_.])*/) &&
               !match(rest, /^(->|\.\.\.)/)) {
        RLENGTH = 1
    }
    token = substr(rest, 1, RLENGTH)
    rest = substr(rest, RLENGTH + 1)
}

# The names at file scope that nobody outside sees: own[name], and tag[name] where it is that of a struct. Macros: macro[name].
function scan(text,   lines, n, i, depth, parens, hidden, type, found, last, before, expects_tag, pending, listing, macro_line, is_body) {
    split("", own)
    split("", tag)
    split("", macro)
    n = split(text, lines, "\n")
    for (i = 1; i <= n; i++) {
        rest = lines[i]
        if (rest ~ /^#define / && !in_comment) {
            match(rest, /^#define [A-Za-z0-9_]+/)
            macro[substr(rest, 9, RLENGTH - 8)] = 1
        }
        if (rest ~ /^#undef /)
            delete macro[substr(rest, 8)]
        if (macro_line || (rest ~ /^#/ && !in_comment)) {
            macro_line = rest ~ /\\$/
            continue
        }
        while (rest != "") {
            next_token()
            if (class == "space" || class == "comment")
                continue
            if (token == "{") {
                if (depth == 0 && pending != "")
                    tag[pending] = 1
                if (depth++ == 0)
                    is_body = before == ")"
                pending = expects_tag = ""
            } else if (token == "}") {
                if (--depth == 0)
                    listing = 0
                if (depth == 0 && is_body)
                    hidden = type = found = 0
            } else if (listing && class == "name" && (before == "{" || before == ",") && depth == 1) {
                own[token] = 1
            } else if (depth == 0 && parens == 0) {
                if ((token == "(" || token == "[" || token == "=" || token == ";") && (hidden || (type && token != "=")) && !found && last != "") {
                    own[last] = found = 1
                }
                if (token == ";")
                    hidden = type = found = 0
                if (class == "name") {
                    pending = expects_tag ? token : ""
                    expects_tag = token ~ /^(struct|union|enum)$/
                    if (token == "static" || token == "INLINE")
                        hidden = 1
                    if (token == "typedef")
                        type = 1
                    listing = token == "enum" || (listing && before == "enum")
                    last = token
                }
            }
            if (token == "(")
                parens++
            if (token == ")")
                parens--
            before = token
        }
    }
}

# The text with the scanned names given their file's, but not the members of structs: where they are used, and in a struct where a
# declaration ends with them.
function rename(text, suffix,   lines, n, i, out, before, two_before, depth, inside) {
    n = split(text, lines, "\n")
    for (i = 1; i <= n; i++) {
        for (rest = lines[i]; rest != "";) {
            next_token()
            if (token == "{" && !inside && (before ~ /^(struct|union)$/ || two_before ~ /^(struct|union)$/))
                inside = depth + 1
            depth += (token == "{") - (token == "}")
            if (depth < inside)
                inside = 0
            if (class == "name" && is_renamed(before) && !(inside && rest ~ /^[,;[]/))
                out = out token suffix
            else
                out = out token
            if (class == "name" || class == "other") {
                two_before = before
                before = token
            }
        }
        if (i < n)
            out = out "\n"
    }
    return out
}

function is_renamed(before) {
    return before != "." && before != "->" && (token in own || (token in tag && before ~ /^(struct|union|enum)$/))
}

# ---- writing ---------------------------------------------------------------------------------------------------------------------------

function banner(path,   line) {
    line = sprintf("/* ==== %s ", path)
    while (length(line) < 115)
        line = line "="
    print "\n" line " */\n"
}

function show(text) {
    gsub(/\n\n\n+/, "\n\n", text)
    sub(/^\n+/, "", text)
    sub(/\n+$/, "", text)
    print text
}

# Macros that give names their precision; the suffix keeps them apart from public ones.
function show_typed(names, suffix, renamed,   list, n, i) {
    n = sorted(names, list)
    for (i = 1; i <= n; i++)
        print "#define " list[i] (renamed ? suffix : "") " OKRA_TYPED(" list[i] suffix ")"
    if (n > 0)
        print ""
}

# The names of a set, in order, into list[1 .. n]; returns n.
function sorted(set, list,   name, n, i, j, x) {
    split("", list)
    for (name in set)
        list[++n] = name
    for (i = 2; i <= n; i++) {
        x = list[i]
        for (j = i - 1; j > 0 && list[j] > x; j--)
            list[j + 1] = list[j]
        list[j + 1] = x
    }
    return n + 0
}

# Headers before whoever includes them, once; those that depend on the precision, or the others.
function show_headers(path, of_precision,   list, n, i, name, names) {
    n = split(needs[path], list, " ")
    for (i = 1; i <= n; i++) {
        if (list[i] in shown)
            continue
        show_headers(list[i], of_precision)
        if (is_typed(list[i]) != of_precision || list[i] in shown)
            continue
        shown[list[i]] = 1
        banner(list[i])
        if (of_precision) {
            scan(load(list[i]))
            for (name in macro)
                ended[name] = 1
            split("", names)
            for (name in own)
                if (!(name in macro))
                    names[name] = 1
            for (name in tag)
                if (!(name in macro))
                    names[name] = 1
            for (name in names)
                ended[name] = 1
            show_typed(names, "_" stem(list[i]), 0)
        }
        show(load(list[i]))
    }
}

function show_source(path, of_precision,   name, names, list, n, i, text) {
    if (of_precision)
        show_headers(path, 1)
    banner(path)
    scan(load(path))
    delete macro["OKRA_PRECISION"]
    n = sorted(macro, list)
    split("", names)
    for (name in own)
        names[name] = 1
    for (name in tag)
        names[name] = 1
    if (of_precision)
        show_typed(names, "_" stem(path), 1)
    text = load(path)
    sub(/#define OKRA_PRECISION[^\n]*\n/, "", text)
    show(rename(text, "_" stem(path)))
    if (n > 0)
        print ""
    for (i = 1; i <= n; i++)
        print "#undef " list[i]
}

function show_system(   list, n, i) {
    n = sorted(system_header, list)
    for (i = 1; i <= n; i++)
        print "#include <" list[i] ">"
}

function show_licence(   line) {
    while ((getline line < "LICENSE") > 0)
        print line == "" ? " *" : " * " line
    close("LICENSE")
    print " */"
}

function write_header(   list, n, i, text) {
    n = split(headers, list, " ")
    print "/*\n * okra " version ": all of libokra's public headers in one, made from include/okra by `make single`. okra.c is the library.\n *"
    show_licence()
    print "#ifndef OKRA_OKRA_H\n#define OKRA_OKRA_H\n"
    for (i = 1; i <= n; i++)
        load(list[i])
    show_system()
    print "\n#ifdef __cplusplus\nextern \"C\" {\n#endif"
    for (i = 1; i <= n; i++) {
        text = load(list[i])
        gsub(/#ifdef __cplusplus\n(extern "C" \{|\})\n#endif\n/, "", text)
        banner(list[i])
        show(text)
    }
    print "\n#ifdef __cplusplus\n}\n#endif\n\n#endif"
}

function write_preface() {
    print "/*\n * okra " version ": all of libokra in one file, made from src by `make single`. Any C11 compiler takes it:\n *"
    print " *     cc -std=c11 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -c okra.c\n *"
    print " * -ffp-contract=off matters: a compiler that fuses multiplications and additions as it likes gives a step, a block and"
    print " * a prediction different bits. (gcc fuses unless asked not to or told -std=c11; where there is a pragma for it, it is"
    print " * below.) The other two are for speed. -ffast-math and -ffinite-math-only are refused: samples that are not finite could"
    print " * not be told from others. The vector primitives are the scalar ones; link with the maths library.\n *"
    print " * To be defined on the command line, for a small memory:"
    print " *     OKRA_NO_F64    no double filters; okra_step() and the like are missing. Filters are still drawn in double"
    print " *     OKRA_NO_F32    no float32 filters; okra_step_f32() and the like are missing"
    print " *     OKRA_NO_HEAP   no malloc, nor printf and strtod, which call it: okra_size() and okra_init() make filters in the"
    print " *                    caller's memory; whatever would allocate answers OKRA_E_MEMORY; okra_spec_set() and"
    print " *                    okra_spec_get() are missing, and an okra_message says what the status means"
    print " *     OKRA_NO_HELP   no lines of help in the registries\n *"
    print " * What depends on the precision is in the second half, behind the #else: this file includes itself, under the name"
    print " * okra.c, once for each.\n *"
    show_licence()
}

function write_source(   list, n, i, all, m) {
    m = split(first " " typed " " plain, all, " ")
    for (i = 1; i <= m; i++)
        load(all[i])
    write_preface()
    print "#ifndef OKRA_PRECISION\n\n#include \"okra.h\"\n"
    show_system()
    print "\n#if defined(__clang__) || !defined(__GNUC__)\n#pragma STDC FP_CONTRACT OFF\n#endif"
    for (i = 1; i <= m; i++)
        show_headers(all[i], 0)
    banner("both precisions")
    print "#define OKRA_PRECISION 64 /* with OKRA_NO_F64, for random numbers only */\n#include \"okra.c\"\n"
    print "#ifndef OKRA_NO_F32\n#define OKRA_PRECISION 32\n#include \"okra.c\"\n#endif"
    n = split(plain, list, " ")
    for (i = 1; i <= n; i++)
        show_source(list[i], 0)
    print "\n#else /* OKRA_PRECISION is 64 or 32 */"
    n = split(first, list, " ")
    for (i = 1; i <= n; i++) {
        if (load(list[i]) ~ /#define OKRA_PRECISION 64/)
            print "\n#if OKRA_PRECISION == 64"
        show_source(list[i], 1)
        if (load(list[i]) ~ /#define OKRA_PRECISION 64/)
            print "#endif"
    }
    print "\n#if OKRA_PRECISION == 32 || !defined(OKRA_NO_F64)"
    n = split(typed, list, " ")
    for (i = 1; i <= n; i++)
        show_source(list[i], 1)
    print "\n#endif"
    banner("the end of a precision")
    n = sorted(ended, list)
    for (i = 1; i <= n; i++)
        print "#undef " list[i]
    print "#undef OKRA_PRECISION\n\n#endif"
}

BEGIN {
    if (what == "header")
        write_header()
    else
        write_source()
    exit failed
}
