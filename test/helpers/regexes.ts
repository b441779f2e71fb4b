import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface FoundRegex {
  /** File and line. */
  readonly place: string
  readonly text: string
  /** Undefined where it is made of what only the running code knows. */
  readonly source: string | undefined
  readonly flags: string
}

/** Every regular expression in the code below these folders: literals, and what `RegExp` is called with. */
export function regexesOf(folders: readonly string[]): FoundRegex[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mts|js|mjs|cjs)$/.test(name))
      .map((name) => join(folder, name)),
  )
  const program = ts.createProgram(files, {
    allowJs: true,
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    noLib: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const found: FoundRegex[] = []
  for (const file of files) {
    const code = program.getSourceFile(file)!
    const add = (node: ts.Node, source: string | undefined, flags: string): void => {
      const { line } = code.getLineAndCharacterOfPosition(node.getStart())
      found.push({ place: `${file}:${line + 1}`, text: node.getText(), source, flags })
    }
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { source, flags } = parts(node)
        add(node, source, flags)
      } else if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === 'RegExp'
      ) {
        const [pattern, flags] = node.arguments ?? []
        add(node, pattern && constant(pattern, checker), (flags && constant(flags, checker)) ?? '')
      }
      ts.forEachChild(node, visit)
    }
    visit(code)
  }
  return found
}

function parts(node: ts.RegularExpressionLiteral): { source: string; flags: string } {
  const end = node.text.lastIndexOf('/')
  return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
}

/** The text that an expression is: of strings and other constants put together. */
function constant(node: ts.Expression, checker: ts.TypeChecker): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isRegularExpressionLiteral(node)) return parts(node).source
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([node.left, node.right], checker)
  if (ts.isTemplateExpression(node)) {
    const rest = node.templateSpans.map(({ expression, literal }) => {
      const text = constant(expression, checker)
      return text === undefined ? undefined : text + literal.text
    })
    return rest.includes(undefined) ? undefined : node.head.text + rest.join('')
  }
  if (!ts.isIdentifier(node)) return undefined
  const named = checker.getSymbolAtLocation(node)
  const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named
  const declared = symbol?.valueDeclaration
  const isConst = declared && ts.isVariableDeclaration(declared) && declared.parent.flags & ts.NodeFlags.Const
  return isConst && declared.initializer ? constant(declared.initializer, checker) : undefined
}

function joined(nodes: readonly ts.Expression[], checker: ts.TypeChecker): string | undefined {
  const texts = nodes.map((node) => constant(node, checker))
  return texts.includes(undefined) ? undefined : texts.join('')
}
