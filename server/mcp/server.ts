import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { packageVersion } from '../package-version.ts'
import { type Ask, type Tool, ToolFault, tools } from './tools.ts'

const instructions =
  'History of US banks, credit unions and holding companies from the agencies’ own files: Call Reports, UBPR, FDIC, NIC, NCUA, SEC, Federal Reserve. Find an institution, find and describe a dataset, then query it. `meta.synthetic` true means made-up demo data: say so.'

/** Characters of an answer, some 10,000 tokens. */
const LONGEST = 40_000

/** A server of the Model Context Protocol whose tools read the API through `ask`. */
export function mcpServer(ask: Ask): McpServer {
  const server = new McpServer({ name: 'us-banking', version: packageVersion }, { instructions })
  for (const [name, tool] of Object.entries(tools)) register(server, name, tool, ask)
  return server
}

function register(server: McpServer, name: string, { description, input, run }: Tool, ask: Ask): void {
  const config = {
    description,
    inputSchema: input,
    // watchlist-add and -remove change a list of the key, and `query` reaches them
    annotations: { readOnlyHint: name !== 'query', destructiveHint: false, openWorldHint: false },
  }
  server.registerTool(name, config, async (given: unknown) => {
    try {
      const text = await run(given as never, ask)
      if (text.length > LONGEST)
        throw new ToolFault(
          `the answer has ${text.length} characters, at most ${LONGEST} are given: ask for fewer rows, or name \`fields\``,
        )
      return { content: [{ type: 'text', text }] }
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error
      return { isError: true, content: [{ type: 'text', text: error.message }] }
    }
  })
}
