/** What the view in front asked, to be asked again elsewhere: address, curl, Python, TypeScript, and the bytes as files. */
import { useState } from 'preact/hooks'
import { apiKey, download, type FileFormat, fileNames, type Query, queries } from '../lib/api.ts'

const ways = ['URL', 'curl', 'Python', 'TypeScript', 'SQL'] as const
type Way = (typeof ways)[number]

/** Datasets whose answer is one object and not rows: JSON alone. */
const nested = new Set([
  'bank-profile',
  'bank-structure-full',
  'industry-dashboard',
  'bank-loan-portfolio',
  'metric-detail',
  'risk-model',
  'sec-registrant',
  'holding-company-snapshot',
])

export function Queries() {
  const asked = [...queries.use().values()]
  const [way, setWay] = useState<Way>('URL')
  if (asked.length === 0) return null
  return (
    <details class="queries">
      <summary>The queries of this page, and its data as files</summary>
      <fieldset class="choices">
        <legend class="hidden">Language</legend>
        {ways.map((one) => (
          <label key={one}>
            <input type="radio" name="way" checked={one === way} onChange={() => setWay(one)} /> {one}
          </label>
        ))}
      </fieldset>
      {asked.map((query) => (
        <OneQuery key={query.title} query={query} way={way} />
      ))}
    </details>
  )
}

function OneQuery({ query, way }: { query: Query; way: Way }) {
  const [failure, setFailure] = useState('')
  const [copied, setCopied] = useState(false)
  const text = codeOf(query, way)
  const file = (format: FileFormat) => (
    <button
      key={format}
      type="button"
      class="quiet"
      aria-label={`${fileNames[format]} of ${query.title}`}
      onClick={() =>
        download(query, format).then(
          () => setFailure(''),
          (error: Error) => setFailure(error.message),
        )
      }
    >
      {fileNames[format]}
    </button>
  )
  return (
    <section class="query" aria-label={`Query: ${query.title}`}>
      <h2>
        {query.title} <a href={`/docs/${query.key}`}>{query.key}</a>
      </h2>
      <pre>{text}</pre>
      <p class="buttons">
        <button
          type="button"
          class="quiet"
          aria-label={`Copy ${way} of ${query.title}`}
          onClick={() =>
            navigator.clipboard?.writeText(text).then(
              () => setCopied(true),
              () => setFailure('The browser does not let the page copy: select the text instead.'),
            )
          }
        >
          {copied ? 'Copied' : 'Copy'}
        </button>
        {nested.has(query.key) ? file('json') : (Object.keys(fileNames) as FileFormat[]).map(file)}
        <span role="status">{failure}</span>
      </p>
    </section>
  )
}

function codeOf({ key, parameters, address }: Query, way: Way): string {
  const url = `${location.origin}${address}`
  // the key itself is shown nowhere
  const keyed = apiKey.get() !== ''
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null)
  switch (way) {
    case 'URL':
      return url
    case 'curl':
      return `curl ${keyed ? `-H "Authorization: Bearer $KEY" ` : ''}'${url}'`
    case 'Python': {
      const values = given.map(([name, value]) => `${name === 'from' ? 'from_' : name}=${pythonOf(value)}`)
      const options = [`base_url=${JSON.stringify(location.origin)}`, ...(keyed ? ['api_key=key'] : [])]
      return `from us_banking import Client\n\nclient = Client(${options.join(', ')})\nanswer = client.${key.replaceAll('-', '_')}(${values.join(', ')})`
    }
    case 'TypeScript': {
      const options = [`baseUrl: '${location.origin}'`, ...(keyed ? ['apiKey: key'] : [])]
      const values = given.map(([name, value]) => `${name}: ${JSON.stringify(value).replaceAll('"', "'")}`)
      return `import { Client } from 'us-banking'\n\nconst client = new Client({ ${options.join(', ')} })\nconst answer = await client.get('${key}', { ${values.join(', ')} })`
    }
    case 'SQL': {
      if (nested.has(key))
        return '-- This answer is one object with lists inside, and no table: ask for it as JSON.'
      const secret = `CREATE SECRET (TYPE http, BEARER_TOKEN 'your key', SCOPE '${location.origin}');\n`
      const parquet = `${url}${url.includes('?') ? '&' : '?'}format=parquet`
      return `-- DuckDB, with its extension httpfs\n${keyed ? secret : ''}SELECT * FROM read_parquet('${parquet.replaceAll("'", "''")}');`
    }
  }
}

const pythonOf = (value: unknown): string =>
  value === true ? 'True' : value === false ? 'False' : JSON.stringify(value)
