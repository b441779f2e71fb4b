// One token at a time: a comment, a quoted text or name (with '' and \' inside), a semicolon, anything else.
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|;|[\s\S]/g

/** The statements of a SQL file, without their semicolons; ClickHouse takes one at a time over HTTP. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token === ';') {
      statements.push(statement)
      statement = ''
    } else statement += token
  }
  statements.push(statement)
  return statements.map((one) => one.trim()).filter((one) => withoutComments(one).trim() !== '')
}

/** The SQL with each comment replaced by a space. */
export function withoutComments(sql: string): string {
  return sql.replace(TOKEN, (token) => (/^(--|\/\*)/.test(token) ? ' ' : token))
}
