"""Checks the map of modules: .venv/bin/python plan/graph.py [--sizes] [--clashes] [--why A B]

Reads packages.tsv, symbols.tsv, clashes.tsv beside it. Works on top-level statements: a statement goes to the target of
its module, or of its symbol; an import counts where its name is used.
"""
import ast, collections, pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from scopes import uses
from scan import scan, TOPS, files, dotted
HERE = pathlib.Path(__file__).parent

def rows(name, n):
    p = HERE / name
    out = []
    for line in p.read_text().splitlines() if p.exists() else []:
        if line.strip() and not line.startswith("#"):
            f = line.split("\t")
            assert len(f) >= n, (name, line)
            out.append(tuple(x.strip() for x in f[:n]))
    return out

mods = scan()
MAP = {}
ORDER = collections.defaultdict(list)
for old, new in rows("packages.tsv", 2):
    assert old not in MAP, ("twice", old)
    MAP[old] = new
    if new != "-":
        ORDER[new].append(old)
SYM = {(o, s): t for o, s, t in rows("symbols.tsv", 3)}
REN = {(o, s): t for o, s, t in rows("clashes.tsv", 3)}

def has_code(m):
    body = [s for s in m.tree.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return bool(body)

unmapped = [n for n, m in mods.items() if n not in MAP and not (m.pkg and not has_code(m))]
unknown = [n for n in MAP if n not in mods and "migrations.versions" not in n]

def target(mod, sym):
    """New module of a symbol of an old module; follows re-exports."""
    seen = set()
    while True:
        if (mod, sym) in SYM:
            return SYM[mod, sym]
        m = mods.get(mod)
        if m is None:
            return None
        if sym is None or sym in m.defs:
            break
        for im, isym, alias, *_ in m.imports:
            if alias == sym and im.split(".")[0] in TOPS and (im, isym) not in seen:
                seen.add((im, isym))
                mod, sym = im, isym
                break
        else:
            break
        if sym is None:
            break
    t = MAP.get(mod)
    return None if t == "-" else (t or (mod if mods[mod].pkg else f"??{mod}"))

def names_in(node):
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)} | _strings(node)

def _strings(node):
    # cast("Name", ..) and quoted annotations
    out = set()
    for x in ast.walk(node):
        if isinstance(x, ast.Constant) and isinstance(x.value, str) and x.value.isidentifier():
            out.add('"' + x.value)
    return out

edges = collections.defaultdict(lambda: collections.defaultdict(list))  # new -> new -> [(oldfrom, what)]
external = collections.defaultdict(set)
sizes = collections.Counter()
DEFS = collections.defaultdict(dict)  # new module -> name -> [(old, name)]
IMPS = collections.defaultdict(lambda: collections.defaultdict(set))
tops = {}
MODULE_USES = collections.defaultdict(dict)
private, flat = set(), []
renamed_imports = []
for n, m in mods.items():
    if n in unmapped or (m.pkg and n not in MAP):
        continue
    if MAP[n] == "-":
        continue
    imp = {}
    for im, isym, alias, line, top, tc in m.imports:
        if im in mods and isym and alias != isym and target(im, isym) == MAP[n]:
            renamed_imports.append((n, line, f"{im}.{isym} as {alias}"))
        imp.setdefault(alias, []).append((im, isym, line))
        if im.split(".")[0] not in TOPS:
            external[MAP[n]].add(im.split(".")[0])
    # statement owner
    stmts = []
    for s in m.tree.body:
        syms = [k for k, v in m.defs.items() if v[4] is s]
        t = next((SYM[n, k] for k in syms if (n, k) in SYM), MAP[n])
        stmts.append((s, syms, t))
    moved_lines = 0
    body = m.tree.body
    for i, (s, syms, t) in enumerate(stmts):
        first = min([s.lineno] + [d.lineno for d in getattr(s, "decorator_list", [])])
        end = body[i].end_lineno
        # docstring of a constant goes along
        if t != MAP[n]:
            length = end - first + 3
            if i + 1 < len(body) and isinstance(body[i + 1], ast.Expr):
                length += body[i + 1].end_lineno - body[i + 1].lineno + 1
            sizes[t] += length
            moved_lines += length
    sizes[MAP[n]] += m.lines - moved_lines
    for s, syms, t in stmts:
        for k in syms:
            new = REN.get((n, k), k)
            DEFS[t].setdefault(new, []).append((n, k))
        if isinstance(s, (ast.Import, ast.ImportFrom)) :
            continue
        if isinstance(s, ast.If) and "TYPE_CHECKING" in ast.dump(s.test):
            continue
        for name, attr, local in uses(s):
            quoted = name.startswith('"')
            name = name.lstrip('"')
            if name in imp:
                for im, isym, line in imp[name]:
                    if im.split(".")[0] not in TOPS or im not in mods:
                        continue
                    if isym is None:
                        IMPS[t][name].add(("module", im))
                        # a quoted word is only a reference where it names an attribute
                        if quoted and not attr: continue
                        tt = target(im, attr)
                        MODULE_USES[n].setdefault((im, name), []).append((attr, tt, local, s.lineno))
                        if tt and tt != t:
                            edges[t][tt].append((n, f"{im.split('.')[-1]}.{attr or '*'}"))
                            if attr and attr.startswith("_"): private.add((im, attr, n))
                        elif tt == t and attr:
                            new = REN.get((im, attr), attr)
                            if new in local: flat.append((t, n, s.lineno, f"{name}.{attr} -> {new}, which is local there"))
                    else:
                        tt = target(im, isym)
                        new = REN.get((im, isym), isym)
                        IMPS[t][new if name == isym else name].add((im, isym))
                        if new != isym and name == isym and new in local:
                            flat.append((t, n, s.lineno, f"imported {isym} renamed {new}, which is local there"))
                        if tt and tt != t:
                            edges[t][tt].append((n, isym))
            elif name in m.defs and not quoted:
                tt = target(n, name)
                if tt and tt != t:
                    edges[t][tt].append((n, name))
                    if name.startswith("_"): private.add((n, name, n))
                    new = REN.get((n, name), name)
                else:
                    new = REN.get((n, name), name)
                if new != name and new in local: flat.append((t, n, s.lineno, f"{name} renamed {new}, which is local there"))
    # imports never used (re-exports) are left out
    IMPS_mod = None

def tarjan(graph):
    index, low, stack, on, out, counter = {}, {}, [], set(), [], [0]
    sys.setrecursionlimit(10000)
    def visit(v):
        index[v] = low[v] = counter[0]; counter[0] += 1
        stack.append(v); on.add(v)
        for w in graph.get(v, ()):
            if w not in index:
                visit(w); low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            comp = []
            while True:
                w = stack.pop(); on.discard(w); comp.append(w)
                if w == v: break
            if len(comp) > 1: out.append(comp)
    for v in list(graph):
        if v not in index: visit(v)
    return out

def layer(m):
    p = m.split(".")
    if p[0] in ("rendering", "data", "cogs"):
        return p[0]
    if p[0] == "bot" and len(p) > 1:
        return p[1]
    return m

# what each may import
BELOW = {
    "rendering": set(),
    "games": {"rendering"},
    "engine": {"games"},
    "play": {"games", "rendering", "engine"},
    "data": {"play", "games", "engine"},
    "umpire": {"data", "play", "games", "engine"},
    "platform": {"data", "play", "games", "rendering", "engine"},
    "features": {"platform", "umpire", "data", "play", "games", "engine", "rendering"},
    "sandbox": set(),
    "settings": {"data", "play"},
    "app": {"features", "platform", "umpire", "data", "play", "games", "engine", "rendering", "settings"},
    "host": {"app", "features", "platform", "umpire", "data", "play", "games", "engine", "rendering", "settings", "sandbox"},
    "__main__": {"host", "play", "settings"},
    "cogs": {"app", "features", "platform", "umpire", "play", "games", "rendering"},
}
IMPURE = {"asyncio", "discord", "sqlalchemy", "aiohttp", "logging", "random", "time", "secrets", "os", "socket", "threading", "subprocess", "concurrent", "contextvars"}

def violations():
    out = []
    for a, bs in sorted(edges.items()):
        for b, what in sorted(bs.items()):
            la, lb = layer(a), layer(b)
            if a.startswith("cogs.") and b.startswith("cogs."):
                if a.split(".")[1] != b.split(".")[1]:
                    out.append((a, b, what, "game knows another"))
                continue
            if a.startswith("cogs.") and a.count(".") > 1 and not a.endswith(".cog"):
                if lb not in ("games", "rendering"):
                    out.append((a, b, what, "a game's module"))
                continue
            if la == lb == "features":
                fa, fb = a.split(".")[2], b.split(".")[2]
                leaf = b.split(".")[-1]
                if fa != fb and leaf in ("handlers", "views"):
                    out.append((a, b, what, "another's " + leaf))
                continue
            if la != lb and lb not in BELOW.get(la, set()) and la != "bot" and lb != "bot" and not (a.endswith("games.catalogue") and lb == "cogs"):
                out.append((a, b, what, f"{la} → {lb}"))
    for m, ext in sorted(external.items()):
        la = layer(m)
        if la in ("games", "play", "engine", "rendering") and not m.startswith("rendering.painter"):
            bad = ext & IMPURE
            if bad: out.append((m, ",".join(sorted(bad)), [], "impure"))
        if "sqlalchemy" in ext and la != "data": out.append((m, "sqlalchemy", [], "only data"))
        if "PIL" in ext and not m.startswith("rendering.painter"): out.append((m, "PIL", [], "only painter"))
    return out

def show(what):
    d = collections.OrderedDict()
    for o, s in what:
        d.setdefault(o, [])
        if s not in d[o]: d[o].append(s)
    return "; ".join(f"{o.split('.',1)[-1]}: {', '.join(v)}" for o, v in d.items())

if __name__ == "__main__":
    args = sys.argv[1:]
    if args and args[0] == "--why":
        a, b = args[1], args[2]
        print(show(edges[a].get(b, [])))
        sys.exit()
    if unmapped: print("UNMAPPED", len(unmapped), *unmapped, sep="\n  ")
    if unknown: print("UNKNOWN", *unknown, sep="\n  ")
    for (o, s) in list(SYM) + list(REN):
        if o not in mods or s not in mods[o].defs: print("NO SUCH SYMBOL", o, s)
    comps = tarjan(edges)
    print(f"CYCLES {len(comps)}")
    for c in comps:
        print("  --", len(c))
        cs = set(c)
        for a in sorted(c):
            for b in sorted(edges[a]):
                if b in cs: print(f"     {a} -> {b}   [{show(edges[a][b])[:300]}]")
    v = violations()
    print(f"VIOLATIONS {len(v)}")
    for a, b, what, why in v: print(f"  ({why}) {a} -> {b}   [{show(what)}]")
    new = {t for t in sizes}
    print("MODULES", len(new))
    big = [(s, t) for t, s in sizes.items() if s > 700]; small = [(s, t) for t, s in sizes.items() if s < 80 and not t.startswith("cogs.")]
    print("OVER 700", *sorted(big), sep="\n  "); print("UNDER 80 (outside cogs)", *sorted(small), sep="\n  ")
    if "--sizes" in args:
        for t in sorted(sizes): print(f"  {sizes[t]:5} {t}")
    for o, s, u in sorted(private):
        if not REN.get((o, s), s).startswith("_"): continue
        print("PRIVATE USED FROM ELSEWHERE", o, s, "by", u)
    for f in renamed_imports: print("IMPORT AS WITHIN ONE MODULE", *f)
    for f in sorted(set(flat)): print("LOCAL NAME IN THE WAY", *f)
    n = 0
    for t, names in sorted(DEFS.items()):
        for name, where in sorted(names.items()):
            olds = list(dict.fromkeys(where))
            if len({o for o, _ in olds}) > 1:
                n += 1
                kinds = [(o.split(".", 1)[-1], mods[o].defs[k][0], mods[o].text.splitlines()[mods[o].defs[k][1] - 1].strip()[:70]) for o, k in olds]
                same = len({" ".join(ast.dump(mods[o].defs[k][4]).split()) for o, k in olds}) == 1
                if "--clashes" in args: print(f"  CLASH {'(same text) ' if same else ''}{t} {name}: " + " | ".join(f"{o}: {x}" for o, _, x in kinds))
            # an imported name, or a module alias, that equals a definition
            for imp in IMPS[t].get(name, ()):
                if imp[0] == "module":
                    if target(imp[1], None) == t: continue
                    n += 1
                    if "--clashes" in args: print(f"  CLASH(module alias) {t} {name}: module {imp[1]} | defined in {olds}")
                else:
                    if target(*imp) == t and (imp in olds): continue
                    n += 1
                    if "--clashes" in args: print(f"  CLASH(import) {t} {name}: {imp} | defined in {olds}")
    # imported names of one module that mean two things
    for t, names in sorted(IMPS.items()):
        for name, what in names.items():
            real = {(i[0], i[1]) if i[0] != "module" else i for i in what}
            inner = {i for i in real if (target(i[1], None) if i[0] == "module" else target(*i)) == t and (i[0] == "module" or i[1] == name)}
            if len(real) > 1 and len({(target(i[1], None), None) if i[0]=="module" else (i[0], i[1]) for i in real}) > 1:
                n += 1
                if "--clashes" in args: print(f"  CLASH(two imports) {t} {name}: {sorted(real, key=str)}")
    print("CLASHES", n, "(--clashes lists them)")
