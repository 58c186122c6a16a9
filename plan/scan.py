"""Parse every tracked module of the product: imports, top-level definitions, lines."""
import ast, subprocess, pathlib, sys
ROOT = pathlib.Path(".")
TOPS = ("bot", "data", "rendering", "cogs")

def files():
    out = subprocess.run(["git", "ls-files", *[f"{t}/**.py" for t in TOPS]], cwd=ROOT, text=True, capture_output=True, check=True).stdout.split()
    return out

def dotted(path):
    parts = path[:-3].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)

class Mod:
    pass

def scan():
    mods = {}
    paths = {dotted(p): p for p in files()}
    for name, path in paths.items():
        if "migrations.versions" in name:
            continue
        m = Mod()
        m.name, m.path = name, path
        m.pkg = path.endswith("__init__.py")
        text = (ROOT / path).read_text()
        m.lines = text.count("\n")
        m.tree = ast.parse(text)
        doc = ast.get_docstring(m.tree) or ""
        m.doc = doc
        m.imports = []  # (module, symbol or None, alias/local name, line, toplevel, typechecking)
        base = name.split(".") if m.pkg else name.split(".")[:-1]
        def walk(node, top, tc):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.ImportFrom):
                    if child.level:
                        b = base[: len(base) - child.level + 1]
                        mod = ".".join(b + ([child.module] if child.module else []))
                    else:
                        mod = child.module
                    for a in child.names:
                        full = f"{mod}.{a.name}"
                        if full in paths:
                            m.imports.append((full, None, a.asname or a.name, child.lineno, top, tc))
                        else:
                            m.imports.append((mod, a.name, a.asname or a.name, child.lineno, top, tc))
                elif isinstance(child, ast.Import):
                    for a in child.names:
                        m.imports.append((a.name, None, a.asname or a.name.split(".")[0], child.lineno, top, tc))
                elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                    for s in child.body:
                        walk(ast.Module([s], []), top, True)
                    for s in child.orelse:
                        walk(ast.Module([s], []), top, tc)
                else:
                    walk(child, top and not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)), tc)
        walk(m.tree, True, False)
        m.defs = {}  # name -> (kind, first, last, uses)
        for s in m.tree.body:
            names = []
            if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names = [s.name]
            elif isinstance(s, ast.Assign):
                for t in s.targets:
                    names += [n.id for n in ast.walk(t) if isinstance(n, ast.Name)]
            elif isinstance(s, (ast.AnnAssign, ast.AugAssign)) and isinstance(s.target, ast.Name):
                names = [s.target.id]
            elif isinstance(s, ast.TypeAlias) if hasattr(ast, "TypeAlias") else False:
                names = [s.name.id]
            elif isinstance(s, (ast.If, ast.Try, ast.With, ast.For)):
                for n in ast.walk(s):
                    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                        names.append(n.name)
            first = min([s.lineno] + [d.lineno for d in getattr(s, "decorator_list", [])])
            for n in names:
                m.defs[n] = (type(s).__name__, first, s.end_lineno, {x.id for x in ast.walk(s) if isinstance(x, ast.Name)} | {x.value.id for x in ast.walk(s) if isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name)}, s)
        m.text = text
        mods[name] = m
    return mods

if __name__ == "__main__":
    mods = scan()
    pre = sys.argv[1:] or [""]
    for n, m in mods.items():
        if not any(n.startswith(p) for p in pre):
            continue
        print(f"## {n} {m.lines} — {' '.join(m.doc.split())[:160]}")
        imp = {}
        for mod, sym, *_ in m.imports:
            if mod.split(".")[0] in TOPS:
                imp.setdefault(mod, []).append(sym or "*")
        print("   " + "; ".join(k + ":" + ",".join(v) for k, v in imp.items()))
        print("   defs: " + " ".join(m.defs))
