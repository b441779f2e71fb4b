// Asks the API from a dataset's page and shows the answer: rows as a table with units, a problem in its words.
const form = document.getElementById('try')
const answer = document.getElementById('answer')
const keyInput = document.getElementById('key').elements.key
const MOST_ROWS = 20
let latest = 0

const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

function cell(value, name = 'td') {
  if (value !== null && typeof value === 'object') return element(name, JSON.stringify(value))
  const text = value === null ? '–' : typeof value === 'number' ? shown(value) : String(value)
  return element(name, text, typeof value === 'number' ? 'number' : undefined)
}

/** Whole numbers as they are (many are identifiers), others to four places. */
const shown = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(4))

function rowsTable(rows, units, most = MOST_ROWS) {
  const wide = element('div', undefined, 'wide')
  const table = wide.appendChild(element('table'))
  const names = Object.keys(rows[0])
  const head = table.createTHead().insertRow()
  for (const name of names) {
    const title = element('th', name)
    if (units[name]) title.append(element('br'), element('small', units[name], 'mild'))
    head.append(title)
  }
  const body = table.createTBody()
  for (const row of rows.slice(0, most)) body.insertRow().append(...names.map((name) => cell(row[name])))
  return wide
}

/** The data of an answer: a table of rows, name and value of a single one, else its JSON. */
function shownData(data, units) {
  const flat = (row) => Object.values(row).every((value) => value === null || typeof value !== 'object')
  if (Array.isArray(data) && data.length > 0) return rowsTable(data, units)
  if (!Array.isArray(data) && flat(data)) {
    return rowsTable(
      Object.entries(data).map(([name, value]) => ({ name, value, unit: units[name] ?? '' })),
      {},
      Number.POSITIVE_INFINITY,
    )
  }
  return element('pre', JSON.stringify(data, null, 1).slice(0, 20_000))
}

function show(...parts) {
  answer.replaceChildren(...parts)
}

/** The key stays in this tab, and goes nowhere but into the header. */
const KEPT = 'api-key'
keyInput.value = sessionStorage.getItem(KEPT) ?? ''
keyInput.addEventListener('input', () => sessionStorage.setItem(KEPT, keyInput.value.trim()))
keyInput.form.addEventListener('submit', (event) => {
  event.preventDefault()
  form.requestSubmit()
})
const headers = () => (keyInput.value.trim() === '' ? {} : { authorization: `Bearer ${keyInput.value.trim()}` })

async function ask(url) {
  const mine = ++latest
  show(element('p', 'Asking …', 'mild'))
  const began = performance.now()
  try {
    const response = await fetch(url, { headers: headers() })
    const type = response.headers.get('content-type') ?? ''
    const took = () => `${Math.round(performance.now() - began)} ms`
    if (!type.includes('json') || type.includes('ndjson')) {
      const { size } = await response.blob()
      if (mine === latest) show(element('p', `${response.status} · ${type} · ${size} bytes · ${took()}`, 'mild'))
      return
    }
    const { data, meta, ...problem } = await response.json()
    if (mine !== latest) return
    if (!response.ok) {
      show(element('p', `${problem.status} ${problem.code}: ${problem.detail}`, 'problem'))
      return
    }
    const shownRows = Math.min(meta.count, MOST_ROWS)
    const facts = [
      `${meta.count} of ${meta.total} rows${Array.isArray(data) && shownRows < meta.count ? `, ${shownRows} shown` : ''}`,
      ...(meta.as_of ? [`as of ${meta.as_of}`] : []),
      `data version ${meta.data_version}${meta.synthetic ? ' (synthetic)' : ''}`,
      took(),
    ]
    show(element('p', facts.join(' · '), 'mild'), shownData(data, meta.units))
  } catch (error) {
    if (mine === latest) show(element('p', String(error), 'problem'))
  }
}

/** Only this server's own paths are asked. */
const local = (text) => {
  const url = new URL(text.trim(), location.origin)
  return url.origin === location.origin ? url.pathname + url.search : undefined
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const url = local(form.elements.url.value)
  if (url) ask(url)
  else show(element('p', 'Only addresses of this server can be asked here.', 'problem'))
})
for (const link of document.querySelectorAll('a.example')) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    form.elements.url.value = link.getAttribute('href')
    form.requestSubmit()
    form.scrollIntoView({ block: 'nearest' })
  })
}
