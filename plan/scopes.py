"""Names of a statement that lead out of it: (name, attribute or None, names that are local there)."""
import ast

def bound_in(fn):
    """Names bound in a function's own scope (not nested functions, comprehensions, lambdas)."""
    out, glob = set(), set()
    a = fn.args
    for x in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]:
        if x: out.add(x.arg)
    body = fn.body if isinstance(fn.body, list) else [fn.body]
    def visit(n):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            out.add(n.name); return
        if isinstance(n, ast.Lambda): return
        if isinstance(n, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            for c in ast.walk(n):
                if isinstance(c, ast.NamedExpr): out.add(c.target.id)
            return
        if isinstance(n, (ast.Global, ast.Nonlocal)): glob.update(n.names)
        if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del)): out.add(n.id)
        if isinstance(n, ast.ExceptHandler) and n.name: out.add(n.name)
        if isinstance(n, ast.MatchAs) and n.name: out.add(n.name)
        if isinstance(n, ast.MatchStar) and n.name: out.add(n.name)
        if isinstance(n, ast.MatchMapping) and n.rest: out.add(n.rest)
        if isinstance(n, (ast.Import, ast.ImportFrom)): return  # local imports count as imports
        for c in ast.iter_child_nodes(n): visit(c)
    for s in body: visit(s)
    return out - glob

def uses(stmt):
    found = []
    def visit(n, local):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for d in n.decorator_list: visit(d, local)
            for d in [*n.args.defaults, *[k for k in n.args.kw_defaults if k]]: visit(d, local)
            for x in [*n.args.posonlyargs, *n.args.args, *n.args.kwonlyargs, n.args.vararg, n.args.kwarg]:
                if x and x.annotation: visit(x.annotation, local)
            if n.returns: visit(n.returns, local)
            inner = local | bound_in(n)
            for s in n.body: visit(s, inner)
            return
        if isinstance(n, ast.Lambda):
            for d in [*n.args.defaults, *[k for k in n.args.kw_defaults if k]]: visit(d, local)
            visit(n.body, local | bound_in(n)); return
        if isinstance(n, ast.ClassDef):
            for d in [*n.decorator_list, *n.bases, *[k.value for k in n.keywords]]: visit(d, local)
            for s in n.body: visit(s, local)
            return
        if isinstance(n, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            inner = set(local)
            for i, g in enumerate(n.generators):
                visit(g.iter, local if i == 0 else inner)
                inner = inner | {x.id for x in ast.walk(g.target) if isinstance(x, ast.Name)}
                for c in g.ifs: visit(c, inner)
            if isinstance(n, ast.DictComp): visit(n.key, inner); visit(n.value, inner)
            else: visit(n.elt, inner)
            return
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name):
            if n.value.id not in local: found.append((n.value.id, n.attr, local))
            return
        if isinstance(n, ast.Name):
            if n.id not in local: found.append((n.id, None, local))
            return
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) < 200:
            text = n.value
            for c in "[]|,": text = text.replace(c, " ")
            pieces = text.split()
            if pieces and all(p.replace(".", "").isidentifier() for p in pieces):
                for p in pieces:
                    h, _, r = p.partition(".")
                    found.append(('"' + h, r or None, local))
            return
        for c in ast.iter_child_nodes(n): visit(c, local)
    visit(stmt, frozenset())
    return found
