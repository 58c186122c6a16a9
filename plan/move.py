"""mv.py ROOT [--packages F] [--symbols F] [--names F ...] [--docs F] [--apply]: move, merge and rename modules and names."""
import argparse, ast, collections, io, pathlib, re, subprocess, sys, tokenize
ap = argparse.ArgumentParser(); ap.add_argument('root'); ap.add_argument('--packages'); ap.add_argument('--symbols'); ap.add_argument('--docs'); ap.add_argument('--moddocs'); ap.add_argument('--aliases')
ap.add_argument('--names', nargs='*', default=[]); ap.add_argument('--apply', action='store_true'); ap.add_argument('--lsp', default='plan/lsp_left.tsv')
ap.add_argument('--shown', type=int, default=200); ap.add_argument('--external', default='plan/external.txt')
A = ap.parse_args(); ROOT = pathlib.Path(A.root)
FIRST = ('bot', 'cogs', 'data', 'rendering', 'tests')
GENERIC = {'handlers', 'views', 'words', 'service', 'loop', 'loops', 'rules', 'picture', 'mind', 'cog', 'commands', 'types', 'pages', 'forms', 'cards', 'text'}
problems = collections.Counter()
def report(kind, *what):
    problems[kind] += 1
    if problems[kind] <= A.shown: print(kind + ':', *what)
def rows(f, n):
    if not f: return []
    return [l.rstrip('\n').split('\t')[:n] for l in open(f) if l.strip() and not l.startswith('#')]
files = subprocess.run(['git', 'ls-files', '*.py'], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
files = [f for f in files if (ROOT / f).is_file() and not f.startswith('typings')]
def modname(f): return f[:-3].replace('/', '.').removesuffix('.__init__')
PACK = {a: b for a, b in rows(A.packages, 2)}
SYMS = {(a, s): b for a, s, b in rows(A.symbols, 3)}
NAMES, METHODS = {}, {}
for f in A.names:
    for m, q, n in rows(f, 3):
        (METHODS if '.' in q else NAMES)[m, q] = n

class Mod: pass
mods = {}
for f in files:
    m = Mod(); m.file = f; m.name = modname(f); m.src = (ROOT / f).read_text(encoding='utf-8'); m.tree = ast.parse(m.src)
    m.blines = m.src.encode().splitlines(keepends=True); off = [0]
    for l in m.blines: off.append(off[-1] + len(l))
    m.off = off; m.b = m.src.encode(); m.is_pkg = f.endswith('__init__.py'); mods[m.name] = m
for k in PACK:
    if k not in mods and not k.endswith('__init__'): report('mapped module is not there', k)
def is_mod(x): return x in mods
def first(x): return x.split('.')[0] in FIRST

def pos(m, line, col): return m.off[line - 1] + col
def span(m, n): return pos(m, n.lineno, n.col_offset), pos(m, n.end_lineno, n.end_col_offset)

# --- module-level bindings
def import_bindings(node, m):
    """local -> binding"""
    out = []
    if isinstance(node, ast.Import):
        for a in node.names:
            if first(a.name) and (is_mod(a.name) or a.name in PACKAGES):
                if a.asname: out.append((a.asname, ('mod', a.name), a))
                else: out.append((a.name.split('.')[0], ('dotted', a.name), a))
            else: out.append((a.asname or a.name.split('.')[0], ('ext', None, a.name, a.asname), a))
    else:
        base = node.module or ''
        if node.level: 
            parts = m.name.split('.'); parts = parts if m.is_pkg else parts[:-1]; parts = parts[:len(parts) - node.level + 1]; base = '.'.join(parts + ([node.module] if node.module else []))
        for a in node.names:
            full = f'{base}.{a.name}'
            if first(base) and (is_mod(full) or full in PACKAGES): out.append((a.asname or a.name, ('mod', full), a))
            elif first(base) and is_mod(base): out.append((a.asname or a.name, ('sym', base, a.name), a))
            else: out.append((a.asname or a.name, ('ext', base, a.name, a.asname), a))
    return out
PACKAGES = {'.'.join(k.split('.')[:i]) for k in mods for i in range(1, k.count('.') + 1)}
def stmts_tc(tree):
    """module-level statements, with whether they stand below TYPE_CHECKING"""
    for n in tree.body:
        if isinstance(n, ast.If) and ast.unparse(n.test) in ('TYPE_CHECKING', 'typing.TYPE_CHECKING') and all(isinstance(x, (ast.Import, ast.ImportFrom)) for x in n.body) and not n.orelse:
            yield n, True
        else: yield n, False
def targets(t):
    for x in ast.walk(t):
        if isinstance(x, ast.Name) and isinstance(x.ctx, (ast.Store, ast.Del)): yield x.id
def bound_in(body):
    """names that statements of one scope bind (not in nested functions); imports apart"""
    names = set(); imports = []; glob = set()
    def go(n):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(n.name)
            for d in n.decorator_list: go(d)
            return
        if isinstance(n, ast.Lambda): return
        if isinstance(n, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            for x in ast.walk(n):
                if isinstance(x, ast.NamedExpr): names.add(x.target.id)
            return
        if isinstance(n, (ast.Import, ast.ImportFrom)): imports.append(n); return
        if isinstance(n, (ast.Global, ast.Nonlocal)): glob.update(n.names); return
        if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del)): names.add(n.id)
        if isinstance(n, ast.ExceptHandler) and n.name: names.add(n.name)
        if isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name: names.add(n.name)
        if isinstance(n, ast.MatchMapping) and n.rest: names.add(n.rest)
        for c in ast.iter_child_nodes(n): go(c)
    for s in body: go(s)
    return names - glob, imports
for m in mods.values():
    m.ext_all = []; m.imports = {}; m.import_nodes = []; m.defs = set(); m.tc_nodes = []
    for n, tc in stmts_tc(m.tree):
        if tc:
            m.tc_nodes.append(n)
            for x in n.body:
                for loc, b, a in import_bindings(x, m): m.imports.setdefault(loc, (b, True, a))
            continue
        if isinstance(n, (ast.Import, ast.ImportFrom)):
            m.import_nodes.append(n)
            for loc, b, a in import_bindings(n, m):
                m.imports[loc] = (b, False, a)
                if b[0] == 'dotted' or b[0] == 'ext' and b[1] is None: m.ext_all.append((loc, b))
            continue
    names, imps = bound_in([n for n, tc in stmts_tc(m.tree) if not tc])
    m.defs = names
    m.nested_imports = [i for i in imps if i not in m.import_nodes]
    for i in m.nested_imports:
        for loc, b, a in import_bindings(i, m):
            if loc not in m.imports: m.imports[loc] = (b, None, a)   # in place (try:, if:)

def origin(x, s, seen=()):
    m = mods.get(x)
    if m is None or (x, s) in seen: return ('sym', x, s)
    if s in m.defs: return ('sym', x, s)
    if s in m.imports:
        b = m.imports[s][0]
        if b[0] == 'sym': return origin(b[1], b[2], (*seen, (x, s)))
        if b[0] == 'mod': return b
        return ('extvia', x, s)
    if f'{x}.{s}' in mods or f'{x}.{s}' in PACKAGES: return ('mod', f'{x}.{s}')
    return ('sym', x, s)
for m in mods.values():
    for loc, (b, tc, a) in list(m.imports.items()):
        if b[0] == 'sym' and origin(b[1], b[2])[0] == 'mod': m.imports[loc] = (origin(b[1], b[2]), tc, a)
def destmod(x): return PACK.get(x, x)
def dest(x, s):
    """(new module, new name) of a symbol; (module, None) where it is a module"""
    o = origin(x, s)
    if o[0] == 'mod': return destmod(o[1]), None
    if o[0] == 'extvia': return destmod(x), s
    return SYMS.get((o[1], o[2]), destmod(o[1])), NAMES.get((o[1], o[2]), o[2])
for (x, s) in list(SYMS) + list(NAMES):
    if x not in mods or s not in mods[x].defs: report('no such symbol', x, s)

# --- scopes
class Walk:
    """calls on(node, binding, chain) for every Name; chain: list of scope dicts from outer to inner"""
    def __init__(self, m, on_name, on_attr=None, on_import=None):
        self.m, self.on_name, self.on_attr, self.on_import = m, on_name, on_attr, on_import
    def resolve(self, name, chain):
        for i in range(len(chain) - 1, -1, -1):
            kind, d = chain[i]
            if kind == 'class' and i != len(chain) - 1: continue
            if name in d: return d[name]
        if name in self.m.defs and not (name in self.m.imports and name not in self.m.defs): return ('def', name)
        if name in self.m.imports: return self.m.imports[name][0]
        return None
    def scope_of(self, body):
        names, imps = bound_in(body); d = {n: ('local',) for n in names}
        for i in imps:
            for loc, b, a in import_bindings(i, self.m):
                if b[0] == 'sym' and origin(b[1], b[2])[0] == 'mod': b = origin(b[1], b[2])
                if b[0] == 'sym': b = (*b, ('here', a.asname))
                elif b[0] == 'mod': b = (*b, ('here', a.asname))
                d[loc] = b
        return d
    def run(self, nodes): 
        for n in nodes: self.visit(n, [])
    def ann(self, n, chain):
        if n is not None: self.visit(n, chain, True)
    def args(self, a, chain):
        for x in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]:
            if x is not None: self.ann(x.annotation, chain)
        for x in [*a.defaults, *a.kw_defaults]:
            if x is not None: self.visit(x, chain)
    def visit(self, n, chain, ann=False):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for d in n.decorator_list: self.visit(d, chain)
            self.args(n.args, chain); self.ann(n.returns, chain)
            self.on_name(n, self.resolve(n.name, chain), chain)
            d = self.scope_of(n.body); A_ = n.args
            for x in [*A_.posonlyargs, *A_.args, *A_.kwonlyargs, A_.vararg, A_.kwarg]:
                if x is not None: d[x.arg] = ('local',)
            for s in n.body: self.visit(s, [*chain, ('fn', d)])
        elif isinstance(n, ast.Lambda):
            self.args(n.args, chain); d = {x.arg: ('local',) for x in [*n.args.posonlyargs, *n.args.args, *n.args.kwonlyargs, n.args.vararg, n.args.kwarg] if x is not None}
            self.visit(n.body, [*chain, ('fn', d)])
        elif isinstance(n, ast.ClassDef):
            for d in n.decorator_list: self.visit(d, chain)
            for b in n.bases: self.visit(b, chain)
            for k in n.keywords: self.visit(k.value, chain)
            self.on_name(n, self.resolve(n.name, chain), chain)
            d = self.scope_of(n.body)
            for s in n.body: self.visit(s, [*chain, ('class', d)])
        elif isinstance(n, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
            self.visit(n.generators[0].iter, chain)
            d = {t: ('local',) for g in n.generators for t in targets(g.target)}
            inner = [*chain, ('fn', d)]
            for i, g in enumerate(n.generators):
                self.visit(g.target, inner)
                if i: self.visit(g.iter, inner)
                for c in g.ifs: self.visit(c, inner)
            for part in ('elt', 'key', 'value'):
                if hasattr(n, part): self.visit(getattr(n, part), inner)
        elif isinstance(n, ast.Name): self.on_name(n, self.resolve(n.id, chain), chain)
        elif isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and (b := self.resolve(n.value.id, chain)) and b[0] in ('mod', 'dotted'):
            self.on_attr(n, b, chain)
        elif isinstance(n, ast.Attribute) and (dd := dotted(n)) and (b := self.resolve(dd[0], chain)) and b[0] == 'dotted':
            self.on_attr(n, b, chain)
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            if self.on_import: self.on_import(n, chain)
        elif isinstance(n, ast.AnnAssign):
            self.visit(n.target, chain); self.ann(n.annotation, chain)
            if n.value is not None: self.visit(n.value, chain)
        elif isinstance(n, ast.Constant) and isinstance(n.value, str) and ann:
            self.on_string(n, chain)
        elif isinstance(n, ast.Global):
            self.on_global(n)
        elif isinstance(n, ast.Call):
            f = n.func; fn = f.attr if isinstance(f, ast.Attribute) else f.id if isinstance(f, ast.Name) else ''
            if fn in ('setattr', 'getattr', 'delattr', 'object', 'wraps') and len(n.args) >= 2 and isinstance(n.args[0], ast.Name) and isinstance(n.args[1], ast.Constant) and (b := self.resolve(n.args[0].id, chain)) and b[0] == 'mod':
                self.on_setattr(n, b, chain); self.visit(f, chain)
                for x in n.args[2:]: self.visit(x, chain)
                for k in n.keywords: self.visit(k.value, chain)
                return
            if fn == 'cast' and n.args and isinstance(n.args[0], ast.Constant) and isinstance(n.args[0].value, str): self.on_string(n.args[0], chain)
            for c in ast.iter_child_nodes(n): self.visit(c, chain)
        else:
            for c in ast.iter_child_nodes(n): self.visit(c, chain, ann and isinstance(n, (ast.Subscript, ast.BinOp, ast.Tuple, ast.List)))
    on_string = on_global = on_setattr = lambda *a: None
def dotted(n):
    parts = []
    while isinstance(n, ast.Attribute): parts.append(n.attr); n = n.value
    if isinstance(n, ast.Name): return [n.id, *reversed(parts)]
    return None

# --- pieces
DEST = collections.OrderedDict()
class Piece: pass
def body_nodes(m):
    out = []
    for i, (n, tc) in enumerate(stmts_tc(m.tree)):
        if tc or isinstance(n, (ast.Import, ast.ImportFrom)): continue
        if i == 0 and isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) and isinstance(n.value.value, str): continue
        out.append(n)
    return out
def stmt_names(n):
    if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)): return {n.name}
    return {x for t in (n.targets if isinstance(n, ast.Assign) else [n.target] if isinstance(n, (ast.AnnAssign, ast.AugAssign)) else []) for x in targets(t)}
order = [k for k in PACK if k in mods] + [k for k in mods if k not in PACK]
for k in order:
    m = mods[k]; groups = collections.OrderedDict(); groups[destmod(k)] = []
    for n in body_nodes(m):
        to = {SYMS.get((k, s), destmod(k)) for s in stmt_names(n)} or {destmod(k)}
        if len(to) > 1: report('one statement, two places', k, n.lineno)
        groups.setdefault(to.pop(), []).append(n)
    for d, nodes in groups.items():
        p = Piece(); p.m = m; p.nodes = nodes; p.whole = d == destmod(k); p.d = d
        if not nodes and not p.whole: continue
        DEST.setdefault(d, []).append(p)
# order of pieces: what is imported first
for d, ps in DEST.items():
    if len(ps) > 1:
        own = {p.m.name: p for p in ps if p.whole}; done, out = set(), []
        def put(p, stack=()):
            if id(p) in done: return
            done.add(id(p))
            for loc, (b, tc, a) in p.m.imports.items():
                if tc: continue
                x = b[1] if b[0] in ('mod', 'sym') else None
                if b[0] == 'sym': x = origin(b[1], b[2])[1]
                if x in own and own[x] is not p: put(own[x])
            out.append(p)
        for p in sorted(ps, key=lambda p: p.whole): put(p)
        heads = [p for p in out if p.whole]
        ps[:] = out
for d, ps in DEST.items():
    seen = {}
    for p in ps:
        keep = []; skip = False
        for i, node in enumerate(p.nodes):
            if skip and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant): skip = False; p.dropped = getattr(p, 'dropped', []) + [node]; continue
            skip = False
            names = stmt_names(node); text = ast.unparse(node)
            if len(names) == 1 and len(ps) > 1:
                k = NAMES.get((p.m.name, *names), next(iter(names)))
                if k in seen and seen[k] == text: skip = True; p.dropped = getattr(p, 'dropped', []) + [node]; continue
                seen.setdefault(k, text)
            keep.append(node)
        p.nodes = keep
# --- pass 1: what each new module needs
class Need: pass
needs = {}; visible = collections.defaultdict(set)
def locals_of(chain): return {k for kind, dd in chain for k, v in dd.items() if v == ('local',)}
for d in DEST:
    n = Need(); n.ext = {}; n.mods = {}; n.syms = {}; n.bound = collections.Counter(); n.top = {}; n.unused = []; needs[d] = n
def want_mod(d, x, tc, alias=None):
    n = needs[d]; old = n.mods.get(x); n.mods[x] = (False if (old and not old[0]) or not tc else True, (alias if old is None or old[1] == alias else None))
def want_sym(d, x, s, tc, alias):
    n = needs[d]; k = (x, s, alias); old = n.syms.get(k); n.syms[k] = False if (old is False) or not tc else True
def import_tc(m, name):
    t = m.imports.get(name); return bool(t and t[1])
def inplace(m, name):
    t = m.imports.get(name); return t is not None and t[1] is None
def all_bound(tree):
    for x in ast.walk(tree):
        if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store): yield x.id
        elif isinstance(x, ast.arg): yield x.arg
        elif isinstance(x, ast.ExceptHandler) and x.name: yield x.name
        elif isinstance(x, (ast.MatchAs, ast.MatchStar)) and x.name: yield x.name
        elif isinstance(x, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)): yield x.name
for d, ps in DEST.items():
    n = needs[d]
    for p in ps:
        m = p.m
        for node in p.nodes:
            for b in all_bound(node): n.bound[b] += 1
            for s in stmt_names(node):
                new = NAMES.get((m.name, s), s)
                if new in n.top and n.top[new] != (m.name, s) and n.top[new][0] != m.name: report('defined twice in one module', d, new, n.top[new], m.name)
                n.top[new] = (m.name, s)
                if new != s: n.bound[new] += 1
        used = set()
        def on_name(node, b, chain, p=p, m=m, d=d, used=used):
            if not isinstance(node, ast.Name) or b is None: return
            if b[0] == 'def':
                x, s = dest(m.name, node.id)
                if x != d: want_sym(d, x, s, False, None)
                return
            if b[0] == 'ext': used.add(node.id)
            if isinstance(b[-1], tuple) and b[-1][0] == 'here': return
            if b[0] == 'sym':
                used.add(node.id); x, s = dest(b[1], b[2])
                if x != d: want_sym(d, x, s, import_tc(m, node.id), node.id if node.id != b[2] and node.id in m.imports else None) if s is not None else want_mod(d, x, import_tc(m, node.id))
            if b[0] == 'mod':
                used.add(node.id); visible[d, destmod(b[1])] |= locals_of(chain); want_mod(d, destmod(b[1]), import_tc(m, node.id), alias_of(m, node.id, b))
        def on_attr(node, b, chain, m=m, d=d, used=used):
            dd = dotted(node)
            if isinstance(b[-1], tuple): return
            used.add(dd[0]); x, s, _ = attr_dest(dd, b)
            if x != d and b[0] == 'mod': visible[d, x] |= locals_of(chain)
            if x != d: want_mod(d, x, import_tc(m, dd[0]), alias_of(m, dd[0], b) if x == destmod(b[1]) else None)
        def on_setattr(node, b, chain, m=m, d=d, used=used):
            if isinstance(b[-1], tuple): return
            visible[d, setattr_dest(b, node.args[1].value)[0]] |= locals_of(chain)
            used.add(node.args[0].id); x = setattr_dest(b, node.args[1].value)[0]; want_mod(d, x, False, alias_of(m, node.args[0].id, b) if x == destmod(b[1]) else None)
        def on_string(node, chain, m=m, d=d, used=used):
            for w in re.findall(r'(?<![.\w])[A-Za-z_]\w*', node.value):
                b = None
                for loc in (w,):
                    if loc in m.imports: used.add(loc); b = m.imports[loc][0]
                if b and b[0] == 'sym':
                    x, s = dest(b[1], b[2])
                    if x != d and s: want_sym(d, x, s, True, None)
        w = Walk(m, on_name, on_attr); w.on_setattr = on_setattr; w.on_string = on_string
        def alias_of(m, loc, b):
            t = m.imports.get(loc); return loc if t and t[0][0] == 'mod' and loc != b[1].split('.')[-1] else None
        def attr_dest(dd, b):
            """of x.y.z with x bound to a module: (new module, symbol, how many parts are consumed)"""
            if b[0] == 'dotted':
                i = 1; full = dd[0]
                while i < len(dd) and (full + '.' + dd[i] in mods or full + '.' + dd[i] in PACKAGES): full += '.' + dd[i]; i += 1
            else:
                full, i = b[1], 1
                while i < len(dd) and full + '.' + dd[i] in mods and dd[i] not in (mods[full].defs if full in mods else ()): full += '.' + dd[i]; i += 1
            while i < len(dd) and full in mods and (o := origin(full, dd[i]))[0] == 'mod': full, i = o[1], i + 1
            if i >= len(dd): return destmod(full), None, i
            x, s = dest(full, dd[i])
            return x, s, i + 1
        def setattr_dest(b, s):
            o = origin(b[1], s)
            if s in mods[b[1]].defs: return dest(b[1], s)
            if s in mods[b[1]].imports and o[0] == 'sym': report('patches an imported name (look)', b[1], s); return destmod(b[1]), dest(b[1], s)[1]
            return destmod(b[1]), s
        p.attr_dest, p.setattr_dest, p.alias_of = attr_dest, setattr_dest, alias_of
        w.run(p.nodes)
        for loc, b in m.ext_all:
            if loc in used or p.whole and len(ps) == 1 or b[0] == 'dotted' and p.whole: n.ext[(None, destmod(b[1]), None) if b[0] == 'dotted' else b[1:], loc] = False
        for loc, (b, tc, a) in m.imports.items():
            if tc is None or b[0] == 'dotted': continue
            if b[0] == 'ext' and (loc in used or (p.whole and len(ps) == 1)): n.ext[b[1:], loc] = (n.ext.get((b[1:], loc), True) and bool(tc))
            elif b[0] != 'ext' and loc not in used and p.whole:
                if b[0] == 'dotted': n.ext[(None, destmod(b[1]), None), loc] = False
                elif b[0] == 'sym' and dest(b[1], b[2])[0] != d: n.unused.append((m.name, loc)); x, s = dest(b[1], b[2]); want_sym(d, x, s, bool(tc), loc if loc != b[2] else None) if s else None
                elif b[0] == 'mod' and destmod(b[1]) != d: want_mod(d, destmod(b[1]), bool(tc))
# --- choose local names
ALIASES = {a: b for a, b in rows(A.aliases, 2)}; MODDOCS = {a: b for a, b in rows(A.moddocs, 2)}
def is_package(d): return any(o.startswith(d + '.') for o in DEST)
local = {}
for d, n in needs.items():
    taken = {loc: key for (key, loc) in n.ext}; 
    def free(name, mine=None):
        return name not in taken and name not in n.top
    for (x, s, alias), tc in sorted(n.syms.items(), key=lambda i: str(i[0])):
        name = alias or s
        if not free(name):
            prev = taken.get(name)
            if prev == (x, s): local[d, x, s, alias] = name; continue
            name2 = f"{x.split('.')[-1].strip('_')}_{s.lstrip('_')}" if not s[0].isupper() else f"{x.split('.')[-2 if x.split('.')[-1] in GENERIC else -1].title().replace('_', '')}{s}"
            report('import under another name', d, x, s, '->', name2); name = name2
        taken[name] = (x, s); local[d, x, s, alias] = name
    for x, (tc, alias) in sorted(n.mods.items()):
        last = x.split('.')[-1]; par = x.split('.')[-2] if '.' in x else ''
        forced = ALIASES.get(x)
        cands = ([forced] if forced else []) + ([alias] if alias else []) + ([last] if last not in GENERIC or x.rpartition('.')[0] == (d if is_package(d) else d.rpartition('.')[0]) else []) + [f'{par}_{last}', f'{last}_module', f'{par}_{last}_module']
        for c in cands:
            if free(c) and c not in visible[d, x]: break
        else: report('no free name for module', d, x)
        taken[c] = x; local[d, x] = c
# --- pass 2: edit
ident_mod = sorted((k for k in mods if k in PACK), key=len, reverse=True)
MODRE = re.compile(r'(?<![\w./])(' + '|'.join(map(re.escape, ident_mod)) + r')(?:\.([A-Za-z_]\w*))?(?![\w/])') if ident_mod else None
paths = {mods[k].file: PACK[k] for k in PACK if k in mods}
PATHRE = re.compile(r'(?<![\w/])(' + '|'.join(map(re.escape, sorted(paths, key=len, reverse=True))) + r')') if paths else None
def is_package_old(d): return any(o.startswith(d + '.') for o in DEST)
def newpath(d): return d.replace('.', '/') + ('/__init__.py' if is_package(d) or (d in mods and mods[d].is_pkg and d not in PACK) else '.py')
def text_refs(t):
    def f(mo):
        k, s = mo.group(1), mo.group(2)
        if s and s != 'py':
            if k + '.' + s in mods or (k + '.' + s) in PACKAGES: return mo.group(0)
            x, n = dest(k, s); return x + '.' + (n or s)
        return destmod(k) + ('.' + s if s else '')
    if MODRE: t = MODRE.sub(f, t)
    if PATHRE: t = PATHRE.sub(lambda mo: newpath(paths[mo.group(1)]), t)
    return t
def check_free(m, d, name, chain, node):
    for kind, dd in chain:
        if kind == 'fn' and name in dd and dd[name] == ('local',): report('shadowed', d, f'{m.file}:{node.lineno}', name)
def edits_of(p):
    m, d = p.m, p.d; E = []
    def sub(a, b, t):
        if m.b[a:b].decode() != t: E.append((a, b, t))
    def ref(x, s, alias, node, chain):
        name = s if x == d else local.get((d, x, s, alias)) or local.get((d, x, s, None))
        if name is None: report('lost', d, x, s, node.lineno); name = s
        check_free(m, d, name, chain, node); return name
    def modref(x, node, chain):
        name = local.get((d, x)); 
        if name is None: report('lost module', d, x, node.lineno); name = x
        check_free(m, d, name, chain, node); return name
    def on_name(node, b, chain):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not chain and b and b[0] == 'def':
                new = NAMES.get((m.name, node.name), node.name)
                if new != node.name:
                    a, _ = span(m, node); mo = re.compile(rb'(async\s+def|def|class)\s+' + node.name.encode() + rb'\b').search(m.b, a)
                    E.append((mo.end() - len(node.name), mo.end(), new))
            return
        if b is None: return
        a, z = span(m, node)
        if b[0] == 'def':
            x, s = dest(m.name, node.id); name = ref(x, s, None, node, chain); sub(a, z, name)
        elif b[0] == 'sym' and isinstance(b[-1], tuple):
            x, s = dest(b[1], b[2])
            if x == d and s: sub(a, z, ref(x, s, None, node, chain))
            elif not b[-1][1]: sub(a, z, s or x.split('.')[-1])
        elif b[0] == 'mod' and isinstance(b[-1], tuple):
            if not b[-1][1]: sub(a, z, destmod(b[1]).split('.')[-1])
        elif b[0] == 'sym':
            x, s = dest(b[1], b[2])
            alias = node.id if node.id != b[2] and node.id in m.imports else None
            sub(a, z, ref(x, s, alias, node, chain) if s is not None else modref(x, node, chain))
        elif b[0] == 'mod':
            x = destmod(b[1])
            if x == d and x != b[1]: report('a module names itself', d, f'{m.file}:{node.lineno}'); return
            sub(a, z, modref(x, node, chain))
    def on_attr(node, b, chain):
        dd = dotted(node)
        x, s, used = p.attr_dest(dd, b); a, z = span(m, node)
        rest = ''.join('.' + r for r in dd[used:])
        if b[0] == 'dotted' and s is None: return
        if isinstance(b[-1], tuple):
            l = b[-1][1] or x.split('.')[-1]
            if s is not None and x != destmod(b[1]): report('a local module import, two places', m.file, node.lineno)
            sub(a, z, l + ('.' + s if s else '') + rest if x != d else s + rest); return
        if s is None: sub(a, z, modref(x, node, chain) + rest)
        elif x == d: check_free(m, d, s, chain, node); sub(a, z, s + rest)
        else: sub(a, z, modref(x, node, chain) + '.' + s + rest)
    def on_setattr(node, b, chain):
        x, s = p.setattr_dest(b, node.args[1].value); a, z = span(m, node.args[0]); sub(a, z, (b[-1][1] or x.split('.')[-1]) if isinstance(b[-1], tuple) else modref(x, node, chain)); a, z = span(m, node.args[1])
        if s != node.args[1].value: sub(a, z, f'"{s}"')
    def on_string(node, chain):
        a, z = span(m, node); t = m.b[a:z].decode()
        def f(mo):
            w = mo.group(0)
            if w in m.imports and m.imports[w][0][0] == 'sym': x, s = dest(*m.imports[w][0][1:]); return s if x == d else local.get((d, x, s, None), s)
            if w in m.defs: return NAMES.get((m.name, w), w)
            return w
        sub(a, z, re.sub(r'(?<![.\w])[A-Za-z_]\w*', f, t))
    def on_global(node):
        a, z = span(m, node); sub(a, z, 'global ' + ', '.join(NAMES.get((m.name, s), s) for s in node.names))
    def on_import(node, chain):
        outs = []
        for loc, b, a in import_bindings(node, m):
            if b[0] in ('ext', 'dotted'):
                outs.append(f'from {b[1]} import {b[2]}' + (f' as {b[3]}' if b[3] else '') if b[0] == 'ext' and b[1] else f'import {b[2] if b[0]=="ext" else destmod(b[1])}' + (f' as {b[3]}' if b[0] == 'ext' and b[3] else '')); continue
            if b[0] == 'sym':
                x, s = dest(b[1], b[2])
                if s is not None:
                    if x == d: continue
                    l = a.asname or s
                    outs.append(f'from {x} import {s}' + (f' as {l}' if l != s else '')); continue
            xs = {destmod(b[1])} | {xx for (dd_, xx) in [k for k in local if len(k) == 2] if dd_ == d and False}
            x = destmod(b[1])
            if x == d: continue
            par, _, last = x.rpartition('.'); l = a.asname or last
            outs.append((f'from {par} import {last}' if par else f'import {last}') + (f' as {l}' if l != last else ''))
        a, z = span(m, node); ind = ' ' * node.col_offset
        sub(a, z, ('\n' + ind).join(dict.fromkeys(outs)) or 'pass')
    w = Walk(m, on_name, on_attr, on_import); w.on_setattr, w.on_string, w.on_global = on_setattr, on_string, on_global
    w.run(p.nodes)
    for n in p.nodes:
        if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == '__all__' for t in n.targets):
            for c in ast.walk(n.value):
                if isinstance(c, ast.Constant) and isinstance(c.value, str):
                    a, z = span(m, c); sub(a, z, '"' + ((dest(*m.imports[c.value][0][1:3])[1] if m.imports[c.value][0][0] == 'sym' else c.value) if c.value in m.imports else NAMES.get((m.name, c.value), c.value)) + '"')
    return E
METHOD_EDITS = collections.defaultdict(list)
# --- methods
attr_defs = collections.defaultdict(set)
for m in mods.values():
    for c in ast.walk(m.tree):
        if not isinstance(c, ast.ClassDef): continue
        for s in ast.walk(c):
            pass
        for s in c.body:
            if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)):
                attr_defs[s.name].add((m.name, c.name, 'method'))
                for x in ast.walk(s):
                    if isinstance(x, ast.Attribute) and isinstance(x.ctx, ast.Store) and isinstance(x.value, ast.Name) and x.value.id in ('self', 'cls'): attr_defs[x.attr].add((m.name, c.name, 'field'))
            elif isinstance(s, (ast.AnnAssign, ast.Assign)):
                for t in targets(s): attr_defs[t].add((m.name, c.name, 'field'))
external = set(open(A.external).read().split()) if pathlib.Path(A.external).exists() else set()
by_old = collections.defaultdict(dict)
for (mn, q), n in METHODS.items():
    cls, _, meth = q.rpartition('.'); by_old[meth][mn, cls.split('.')[-1]] = n
GLOBAL, FILE, left = {}, {}, []
files_with = collections.defaultdict(set)
for m in mods.values():
    for x in ast.walk(m.tree):
        if isinstance(x, ast.Attribute): files_with[x.attr].add(m.name)
for old, where in by_old.items():
    product = {(a, c) for a, c, k in attr_defs[old] if not a.startswith('tests')}
    fields = {(a, c) for a, c, k in attr_defs[old] if k == 'field'}
    for key in where:
        if key not in {(a, c) for a, c, k in attr_defs[old]}: report('no such method', *key, old)
    news = set(where.values())
    if len(news) == 1 and product <= set(where) and not fields and old not in external: GLOBAL[old] = news.pop(); continue
    for key, n in where.items():
        here = {(a, c) for a, c, k in attr_defs[old] if a == key[0]}
        inherits = [f for f in files_with[old] - {key[0]} if not any(a == f for a, c, k in attr_defs[old])]
        if old.startswith('_') and not inherits and here == {k for k in where if k[0] == key[0]} and len({where[k] for k in here}) == 1 and not (fields & here): FILE[key[0], old] = n
        else: left.append((key[0], f'{key[1]}.{old}', n))
with open(A.lsp, 'w') as f:
    for r in sorted(left): f.write('\t'.join(r) + '\n')
print(f'methods: {len(GLOBAL)} names everywhere, {len(FILE)} in one file, {len(left)} left for the language server; top-level {len(NAMES)}')
for m in mods.values():
    modnames = {loc for x in ast.walk(m.tree) if isinstance(x, (ast.Import, ast.ImportFrom)) for loc, b, a in import_bindings(x, m) if b[0] in ('mod', 'dotted') or b[0] == 'ext' and b[1] is None or b[0] == 'sym' and origin(b[1], b[2])[0] == 'mod'}
    def new_attr(old): return GLOBAL.get(old) or FILE.get((m.name, old))
    for c in ast.walk(m.tree):
        if isinstance(c, ast.Attribute) and (n := new_attr(c.attr)) and not (isinstance(c.value, ast.Name) and c.value.id in modnames):
            z = pos(m, c.end_lineno, c.end_col_offset); METHOD_EDITS[m.name].append((z - len(c.attr), z, n))
        elif isinstance(c, ast.ClassDef):
            for s in c.body:
                if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef)) and (n := new_attr(s.name)):
                    a, _ = span(m, s); mo = re.compile(rb'def\s+' + s.name.encode() + rb'\b').search(m.b, a); METHOD_EDITS[m.name].append((mo.end() - len(s.name), mo.end(), n))
                    for x in c.body:  # uses of the bare name in the class body (tables of methods)
                        if not isinstance(x, (ast.FunctionDef, ast.AsyncFunctionDef)):
                            for y in ast.walk(x):
                                if isinstance(y, ast.Name) and y.id == s.name: METHOD_EDITS[m.name].append((*span(m, y), n))
                        else:
                            for dec in x.decorator_list:
                                for y in ast.walk(dec):
                                    if isinstance(y, ast.Name) and y.id == s.name: METHOD_EDITS[m.name].append((*span(m, y), n))
        elif isinstance(c, ast.Call):
            fn = c.func.attr if isinstance(c.func, ast.Attribute) else getattr(c.func, 'id', '')
            if fn in ('setattr', 'getattr', 'delattr', 'object', 'attrgetter', 'methodcaller', 'hasattr'):
                for y in c.args[:2]:
                    if isinstance(y, ast.Constant) and isinstance(y.value, str) and (n := new_attr(y.value)): METHOD_EDITS[m.name].append((*span(m, y), f'"{n}"'))
def token_edits(m):
    """dotted names and paths of modules in strings and comments"""
    out = []
    if not (MODRE or PATHRE): return out
    for t in tokenize.generate_tokens(io.StringIO(m.src).readline):
        if t.type in (tokenize.STRING, tokenize.COMMENT) or tokenize.tok_name[t.type] == 'FSTRING_MIDDLE':
            new = text_refs(t.string)
            if new != t.string:
                lines = m.src.splitlines(keepends=True)
                a = pos(m, t.start[0], len(lines[t.start[0] - 1][:t.start[1]].encode())); z = pos(m, t.end[0], len(lines[t.end[0] - 1][:t.end[1]].encode()))
                out.append((a, z, new if t.type != tokenize.STRING else new))
    return out
def apply(m, E, a0, a1):
    E = sorted({e for e in E if a0 <= e[0] and e[1] <= a1}); out = b''; at = a0; last = None
    for a, z, t in E:
        if a < at: 
            if last and (a, z) == last[:2]: report('two edits at one place', m.file, last, t); continue
            report('overlap', m.file, last, (a, z, t)); continue
        out += m.b[at:a] + t.encode(); at = z; last = (a, z, t)
    return (out + m.b[at:a1]).decode()
def start_of(m, n, prev_end):
    line = n.lineno
    if getattr(n, 'decorator_list', None): line = min(line, n.decorator_list[0].lineno)
    a = m.off[line - 1]
    # comments directly above
    while line > 1 and m.blines[line - 2].strip().startswith(b'#') and m.off[line - 2] >= prev_end: line -= 1; a = m.off[line - 1]
    return a
OUT = {}
docs = {a: b for a, b in rows(A.docs, 2)} if A.docs else {}
for d, ps in DEST.items():
    n = needs[d]; chunks = []; doc = None; unchanged = len(ps) == 1 and ps[0].whole and ps[0].m.name == d
    moved_out = any(k[0] == d for k in SYMS)
    for p in ps:
        m = p.m; E = edits_of(p) + METHOD_EDITS[m.name]; T = token_edits(m)
        # a string edit by the scope walk goes before one by token
        have = {(a, z) for a, z, _ in E}; E += [t for t in T if not any(a < t[1] and t[0] < z for a, z in have)]
        first_doc = m.tree.body and isinstance(m.tree.body[0], ast.Expr) and isinstance(m.tree.body[0].value, ast.Constant) and isinstance(m.tree.body[0].value.value, str)
        dtext = apply(m, E, *span(m, m.tree.body[0])) if first_doc else ''
        body = ''; prev = 0; nodes = p.nodes
        everything = [x for x in m.tree.body]
        head_end = 0
        for x in everything:
            if x in nodes: 
                a = start_of(m, x, head_end)
                z = m.off[x.end_lineno] if x.end_lineno < len(m.off) else len(m.b)
                # keep blank lines as they were after the previous statement of this piece
                gap = m.b[head_end:a].decode()
                gap = gap if not gap.strip() else '\n' * gap.count('\n')
                lost = [l for l in m.b[head_end:a].decode().splitlines() if l.strip()]
                if lost: body += '\n'.join(lost) + '\n'
                body += (gap if body else '') + apply(m, E, a, z); head_end = z
            else:
                head_end = m.off[x.end_lineno] if x.end_lineno < len(m.off) else len(m.b)
                if isinstance(x, (ast.Import, ast.ImportFrom)) or x in m.tc_nodes:
                    for l in range(x.lineno, x.end_lineno + 1):
                        if b'#' in m.blines[l - 1] and p.whole: report('comment of an import', m.file, l, m.blines[l - 1].decode().strip())
        tail = m.b[head_end:].decode()
        if p.whole and tail.strip(): body += tail
        heads = [q for q in ps if q.whole]; owner = next((q for q in heads if q.m.name.split('.')[-1] == d.split('.')[-1]), heads[0])
        if len(heads) > 1 and d in MODDOCS and p is heads[0] and not owner.m.name.startswith('cogs.'): doc = '"""' + MODDOCS[d] + '"""'
        if p is owner and doc is None: doc = dtext
        elif p.whole and dtext and body.strip():
            body = '\n'.join(('# ' + l).rstrip() for l in ast.literal_eval(dtext).strip().splitlines()[:1]) + '\n\n\n' + body.lstrip('\n')
        chunks.append(body.strip('\n'))
    imp = collections.defaultdict(list); tci = collections.defaultdict(list); plain = []; future = False
    for (b, loc), tc in n.ext.items():
        base, name, asname = b
        if base == '__future__': future = True; continue
        if base is None: (plain if not tc else tci[None]).append(f'import {name}' + (f' as {asname}' if asname else ''))
        else: (tci if tc else imp)[base].append((name, asname))
    for k in [k for k in local if k[0] == d]:
        if len(k) == 2:
            x = k[1]; par, _, last = x.rpartition('.'); tc = n.mods[x][0]
            if not par: plain.append(f'import {last}' + (f' as {local[k]}' if local[k] != last else '')); continue
            (tci if tc else imp)[par].append((last, local[k] if local[k] != last else None))
        else:
            _, x, s, alias = k; tc = n.syms[x, s, alias]; (tci if tc else imp)[x].append((s, local[k] if local[k] != s else None))
    head = ''
    if doc: head += doc + '\n\n'
    # imports that only in-place statements give (function-local) are not to be repeated at the top
    if future or any('from __future__ import annotations' in p.m.src for p in ps): head += 'from __future__ import annotations\n\n'
    def block(i, ind):
        t = ''
        for base, names in sorted((k, v) for k, v in i.items() if k): t += f'{ind}from {base} import ' + ', '.join(s + (f' as {a}' if a else '') for s, a in sorted(set(names), key=str)) + '\n'
        return t
    top = ''.join(l + '\n' for l in sorted(set(plain))) + block(imp, '')
    if tci:
        if not any('TYPE_CHECKING' in str(v) for v in imp.get('typing', [])): top += 'from typing import TYPE_CHECKING\n'
        top += '\nif TYPE_CHECKING:\n' + ''.join('    ' + l + '\n' for l in tci.get(None, [])) + block(tci, '    ')
    text = head + top + ('\n\n' if top else '') + '\n\n\n'.join(c for c in chunks if c) + '\n'
    OUT[newpath(d)] = text
    if unchanged and not moved_out:
        m = ps[0].m
        firsts = {loc for loc, (b, tc, a) in m.imports.items() if b[0] in ('mod', 'sym')}
        # nothing but text edits: keep the file's own form where no import changed
        same = all((b[0] == 'mod' and destmod(b[1]) == b[1] or b[0] == 'sym' and dest(b[1], b[2]) == (b[1], b[2]) or b[0] in ('ext', 'dotted')) for b, tc, a in m.imports.values())
        E = edits_of(ps[0]) + METHOD_EDITS[m.name]; T = token_edits(m)
        if same and all(dest(b[1], b[2])[0] == b[1] for b, tc, a in m.imports.values() if b[0] == 'sym'):
            have = {(a, z) for a, z, _ in E}; E += [t for t in T if not any(a < t[1] and t[0] < z for a, z in have)]
            byloc = {k[1]: local[k] for k in local if k[0] == d and len(k) == 2}; there = {b[1]: loc for loc, (b, tc, a) in m.imports.items() if b[0] == 'mod'}
            if all(there.get(x) == l for x, l in byloc.items()) and all(local[k] in m.imports for k in local if k[0] == d) and not n.unused: OUT[newpath(d)] = apply(m, E, 0, len(m.b))
print('new modules', len([p for p in OUT if not p.startswith('tests')]), dict(problems))
if A.apply:
    for f in files:
        if f not in OUT: (ROOT / f).unlink()
    # the first piece's file is moved with git, so that its history is found
    for d, ps in DEST.items():
        p = ROOT / newpath(d); p.parent.mkdir(parents=True, exist_ok=True); p.write_text(OUT[newpath(d)], encoding='utf-8')
    pk = {'/'.join(p.split('/')[:i]) for p in OUT for i in range(1, p.count('/') + 1)}
    for k in sorted(pk):
        f = ROOT / k / '__init__.py'
        if not f.exists() and k.split('/')[0] in ('bot', 'cogs', 'data', 'rendering'): f.write_text(f'"""{docs.get(k.replace("/", "."), k.split("/")[-1])}"""\n')
    for f in subprocess.run(['git', 'ls-files'], cwd=ROOT, capture_output=True, text=True).stdout.split():
        p = ROOT / f
        if f.endswith(('.md', '.toml', '.yml', 'Makefile', 'run', 'Dockerfile', '.ini', '.mako')) and p.is_file() and f != 'CHANGELOG.md':
            t = p.read_text(encoding='utf-8'); new = text_refs(t)
            if new != t: p.write_text(new, encoding='utf-8')
