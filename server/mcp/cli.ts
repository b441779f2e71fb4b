/** `npm run mcp`: the Model Context Protocol over stdio, for programs that start their servers themselves. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { Command } from 'commander'
import { runCommand } from '../command.ts'
import { mcpServer } from './server.ts'
import { type Ask, ToolFault } from './tools.ts'

const program = new Command('npm run --silent mcp --')
  .description('Tools for language models over stdio, which ask a running server.')
  .option('--url <url>', 'address of the server', 'http://127.0.0.1:8080')
  .exitOverride()
  .addHelpText('after', '\nA key is read from the environment: BANKING_API_KEY.')
  .action(async ({ url }: { url: string }) => {
    const server = mcpServer(askAt(url, process.env.BANKING_API_KEY))
    await server.connect(new StdioServerTransport())
  })

function askAt(base: string, key: string | undefined): Ask {
  return async (path) => {
    const headers = new Headers(key === undefined ? [] : [['authorization', `Bearer ${key}`]])
    const answer = await fetch(new URL(path, base), { headers, signal: AbortSignal.timeout(60_000) }).catch(
      (error: Error) => {
        throw new ToolFault(
          `no answer from ${base}: ${error.cause instanceof Error ? error.cause.message : error.message}`,
        )
      },
    )
    return { status: answer.status, body: await answer.text() }
  }
}

const code = await runCommand(program, process.argv.slice(2), { expected: [] })
if (code !== 0) process.exitCode = code
