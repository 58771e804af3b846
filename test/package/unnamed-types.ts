import { dirname, sep } from "node:path";
import ts from "typescript";

/**
 * Every type of a package that something which it exports mentions, and that nobody outside can name because the package
 * does not export it. Shape: `what is exported: the type`, sorted.
 */
export function unnamedTypes(entry: string, root: string): readonly string[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const door = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (door === undefined) throw new TypeError("the entry exports nothing");
  const named = new Map(checker.getExportsOfModule(door).map((symbol) => [meant(symbol), symbol.name]));
  const found = new Set<string>();
  const lookedThrough = new Set<ts.Symbol>();
  for (const [symbol, name] of named) {
    for (const declaration of symbol.declarations ?? []) {
      look(declaration, name);
    }
  }
  return [...found].toSorted();

  function meant(symbol: ts.Symbol): ts.Symbol {
    return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  }

  function look(node: ts.Node, name: string): void {
    const mention = nameOfType(node);
    const symbol = mention === null ? undefined : checker.getSymbolAtLocation(mention);
    if (symbol !== undefined) tell(meant(symbol), name);
    ts.forEachChild(node, (child) => {
      look(child, name);
    });
  }

  function tell(type: ts.Symbol, name: string): void {
    if (named.has(type) || lookedThrough.has(type) || !isOurs(type)) return;
    const alias = type.declarations?.find(ts.isTypeAliasDeclaration);
    // A shorthand of one file: what it stands for can be written out.
    if (alias === undefined || isExported(alias)) {
      found.add(`${name}: ${type.name}`);
      return;
    }
    lookedThrough.add(type);
    look(alias.type, name);
  }

  function isOurs(symbol: ts.Symbol): boolean {
    if ((symbol.flags & ts.SymbolFlags.TypeParameter) !== 0) return false;
    return (symbol.declarations ?? []).some((declaration) => {
      const folder = dirname(declaration.getSourceFile().fileName);
      return `${folder}${sep}`.startsWith(`${root}${sep}`) && !folder.slice(root.length).includes("node_modules");
    });
  }
}

function isExported(declaration: ts.Declaration): boolean {
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0;
}

/** The name by which a node mentions a type. The type of a value is what it is, and needs no name. */
function nameOfType(node: ts.Node): ts.Node | null {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier ?? null;
  return null;
}
