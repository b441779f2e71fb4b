/** What the pages of the docs share: the frame, its style, and the little HTML that they are made of. */

/** A whole page. `body` is HTML; `script` the address of a module. */
export const page = (title: string, body: string, script?: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)} · US banking history</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
<header><nav><a href="/">Explorer</a><a href="/docs">API reference</a><a href="/docs/catalog">Datasets</a><a href="/docs/access">Access</a><a href="/docs/errors">Problems</a><a href="/api/v1/openapi.json">OpenAPI</a></nav></header>
<main>
<h1>${html(title)}</h1>
${body}
</main>
${script ? `<script type="module" src="${script}"></script>` : ''}
</html>
`

/** Heads and cells are HTML. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="wide"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`

export const html = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)

/** Text of a declaration: what stands between backticks is code. */
export const prose = (text: string): string => html(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A column chart. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#14532d"/><path d="M3 13V9h2v4zM7 13V6h2v7zM11 13V3h2v10z" fill="#fff"/></svg>'

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: light-dark(#0b5cad, #8ab8f5); --mild: light-dark(#555, #aaa) }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
header { border-bottom: 1px solid var(--line) }
nav, main { max-width: 64rem; margin: 0 auto; padding: .75rem 1rem }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
a { color: var(--link) }
nav a { text-decoration: none }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 1rem 0 .5rem }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
code { font: .875em ui-monospace, monospace; overflow-wrap: anywhere }
.wide { overflow-x: auto }
.wide table { min-width: 36rem }
table { border-collapse: collapse; width: 100%; font-size: .925rem }
th, td { text-align: left; padding: .3rem 1rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td code { overflow-wrap: normal; white-space: nowrap }
.mild { color: var(--mild) }
.badge { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; white-space: nowrap }
form { display: flex; gap: .5rem; margin: .5rem 0 }
input { flex: 1; min-width: 0; font: .9rem ui-monospace, monospace; padding: .4rem .6rem }
button { font: inherit; padding: .4rem 1.2rem; cursor: pointer }
#answer table { width: auto; min-width: 0; font-variant-numeric: tabular-nums }
#answer td, #answer th { white-space: nowrap }
#answer .number { text-align: right }
#answer .problem { border-left: 3px solid #c2410c; padding: .25rem .75rem; background: var(--soft) }
pre { overflow-x: auto; background: var(--soft); padding: .75rem; font: .85rem/1.4 ui-monospace, monospace }
`
