// That a map library reads the GeoJSON of a bank's offices, in a real browser.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import t from 'tap'
import { chromiumPath } from '../../bench/chromium.ts'
import { build } from '../helpers/app.ts'
import { openBrowser, watchedPage } from '../helpers/browser.ts'

const executable = await chromiumPath()
const skip = executable ? false : 'no Chromium is installed (CHROMIUM may name one)'
const resolve = createRequire(import.meta.url).resolve

/** A map of its own width, so that what lies where on it follows from the bounds alone. */
const html = `<!doctype html><link rel="stylesheet" href="/map/leaflet.css"><script src="/map/leaflet.js"></script>
<div id="map" style="width: 900px; height: 600px"></div>`

interface Shown {
  type: string
  places: { latitude: number; longitude: number; properties: Record<string, unknown> }[]
  inView: boolean
}

t.test('Leaflet shows the offices of a bank where they are', { skip }, async (t) => {
  const { app, listen, published, headers } = await build(t)
  const origin = await listen()
  const { page, errors, outside } = await watchedPage(await openBrowser(t, executable!), origin)
  for (const [path, contentType, body] of [
    ['map', 'text/html', html],
    ['map/leaflet.js', 'text/javascript', await readFile(resolve('leaflet/dist/leaflet.js'))],
    ['map/leaflet.css', 'text/css', await readFile(resolve('leaflet/dist/leaflet.css'))],
  ] as const)
    await page.route(`${origin}/${path}`, (route) => route.fulfill({ contentType, body }))

  const url = `/api/v1/banks/${published.examples.bank}/branches/map/`
  const rows = (await app.inject({ url })).json().data as Record<string, number | string>[]
  t.ok(rows.length > 0, `${rows.length} offices`)

  await page.goto(`${origin}/map`)
  // as text: Leaflet is a global of the page, not of this file
  const shown = (await page.evaluate(
    `(async ({ url, headers }) => {
      const answer = await fetch(url, { headers })
      const map = L.map('map', { zoomAnimation: false })
      const layer = L.geoJSON(await answer.json(), {
        pointToLayer: (feature, at) => L.circleMarker(at, { radius: 4 }).bindPopup(feature.properties.name),
      })
      map.fitBounds(layer.getBounds().pad(0.1))
      layer.addTo(map)
      const layers = layer.getLayers()
      return {
        type: answer.headers.get('content-type'),
        places: layers.map((one) => {
          const { lat, lng } = one.getLatLng()
          return { latitude: lat, longitude: lng, properties: one.feature.properties }
        }),
        inView: layers.every((one) => map.getBounds().contains(one.getLatLng())),
      }
    })(${JSON.stringify({ url: `${url}?format=geojson`, headers })})`,
  )) as Shown
  t.match(shown.type, /^application\/geo\+json/)
  t.same(
    shown.places.map(({ latitude, longitude, properties }) => [properties.name, latitude, longitude]),
    rows.map(({ name, latitude, longitude }) => [name, latitude, longitude]),
    'each office is where its row says',
  )
  t.ok(shown.inView, 'latitude and longitude are not exchanged: all are in the view')
  t.ok(shown.places.every(({ latitude }) => latitude > 15 && latitude < 72))
  t.equal(await page.locator('#map path.leaflet-interactive').count(), rows.length, 'and is drawn')
  await page.locator('#map path.leaflet-interactive').first().dispatchEvent('click')
  const names = rows.map(({ name }) => name)
  t.ok(names.includes((await page.locator('.leaflet-popup-content').textContent())!), 'with its name')
  t.strictSame(errors, [])
  t.strictSame(outside, [])
})
