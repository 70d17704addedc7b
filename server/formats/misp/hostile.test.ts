import { test } from 'node:test'
import fc from 'fast-check'
import { DocumentError, documentOf } from '../document.ts'
import type { Reader } from '../finding.ts'
import { readPlatformJson } from '../platform-json/read-platform-json.ts'
import { readMisp } from './read-misp.ts'

/** Arbitrary values under expected names, mostly of the wrong type. */
const anything = (names: string): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        null,
        true,
        0,
        -1,
        '',
        'x',
        '1',
        '5a0c1b2e-7d3f-4b7e-9f30-1f2d3c4b5a69',
        'ip-dst|port',
        'a|b',
        'tlp:red',
      ),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names.split(' ')), tie('value'), { maxKeys: 6 }),
    ),
  })).value

async function survives(reader: Reader, given: unknown): Promise<void> {
  try {
    for await (const _ of reader(documentOf(JSON.stringify(given))));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
  }
}

const misp =
  `Event response info uuid date timestamp threat_level_id Orgc name Tag Galaxy GalaxyCluster type value tag_name meta
  external_id kill_chain synonyms refs Attribute Object ObjectReference EventReport content data to_ids deleted comment Sighting
  ShadowAttribute`.replaceAll(/\s+/g, ' ')

const platform =
  `entities relationships relations data observables extracts type title id meta source target key kind value
  instance_meta link_types classification confidence taxonomies taxonomy attacks attack attachments filename kept object
  bundled_extracts subtype`.replaceAll(/\s+/g, ' ')

test('arbitrary values anywhere in an event are handled', async () => {
  const events = anything(misp).map((event) => [{ Event: event }, event, { response: event }])
  await fc.assert(
    fc.asyncProperty(events, async (given) => {
      for (const one of given) await survives(readMisp, one)
    }),
  )
})

test('arbitrary values anywhere in a platform document are handled', async () => {
  const documents = anything(platform).map((value) => [
    value,
    { entities: [value], relations: [value] },
    { data: value },
  ])
  await fc.assert(
    fc.asyncProperty(documents, async (given) => {
      for (const one of given) await survives(readPlatformJson, one)
    }),
  )
})
