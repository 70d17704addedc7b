import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocumentError, documentOf } from '../../document.ts'
import type { FoundEntity } from '../../finding.ts'
import { NAMESPACES } from '../namespaces.ts'
import { readStix1 } from './read-stix1.ts'

const declared = Object.entries(NAMESPACES)
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')
const UUID = '11111111-1111-4111-8111-111111111111'

const stixPackage = (content: string, attributes = 'id="ex:Package-1" version="1.2"') =>
  `<stix:STIX_Package ${declared} xmlns:ex="http://example.com/" xmlns:same="http://example.com/" ${attributes}>${content}</stix:STIX_Package>`

const address = (value: string, attributes = '') =>
  `<cybox:Object><cybox:Properties xsi:type="AddressObj:AddressObjectType" category="ipv4-addr">
    <AddressObj:Address_Value ${attributes}>${value}</AddressObj:Address_Value></cybox:Properties></cybox:Object>`

const indicator = (content: string, id = 'ex:Indicator-1', attributes = '') =>
  `<stix:Indicator id="${id}" xsi:type="indicator:IndicatorType" ${attributes}>${content}</stix:Indicator>`

const indicators = (...items: string[]) => `<stix:Indicators>${items.join('')}</stix:Indicators>`

const marking = (colour: string, path = '//node()') =>
  `<marking:Marking><marking:Controlled_Structure>${path}</marking:Controlled_Structure>
    <marking:Marking_Structure xsi:type="tlpMarking:TLPMarkingStructureType" color="${colour}"/></marking:Marking>`

async function read(text: string) {
  const findings = await Array.fromAsync(readStix1(documentOf(text, 'a.xml')))
  const entities = new Map<string, FoundEntity>()
  for (const finding of findings)
    if (finding.kind === 'entity') entities.set(String(finding.entity.data.id).replace(/^\{.*\}/, ''), finding.entity)
  const edges = findings.flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship.data] : []))
  const losses = findings.flatMap((finding) => finding.losses ?? [])
  return {
    findings,
    entities,
    edges: edges.map(({ source, key, target }) => `${local(source)} ${key} ${local(target)}`),
    data: edges,
    losses,
  }
}

const local = (id: string) => id.replace(/^\{.*\}/, '')
const valuesOf = (entity: FoundEntity | undefined) =>
  entity?.observables?.map(({ type, value }) => `${type} ${value}`) ?? []

test('ids are resolved by the namespace of their prefix, whatever the prefix', async () => {
  const text = stixPackage(
    `${indicators(indicator(`<indicator:Indicated_TTP><stixCommon:TTP idref="same:TTP-${UUID}"/></indicator:Indicated_TTP>`))}
     <stix:TTPs><stix:TTP id="ex:TTP-${UUID}"><ttp:Title>How</ttp:Title></stix:TTP></stix:TTPs>`,
  )
  const { data, entities } = await read(text)
  assert.deepEqual(
    data.map(({ source, target }) => [source, target]),
    [['{http://example.com/}Indicator-1', `{http://example.com/}TTP-${UUID}`]],
  )
  assert.equal(entities.get(`TTP-${UUID}`)?.data.title, 'How')
})

test('forward references to observables are resolved, through compositions and objects', async () => {
  const text = stixPackage(
    `${indicators(indicator('<indicator:Observable idref="ex:O-1"/>'))}
     <stix:Observables cybox_major_version="2" cybox_minor_version="1">
       <cybox:Observable id="ex:O-1"><cybox:Observable_Composition operator="OR"><cybox:Observable idref="ex:O-2"/><cybox:Observable idref="ex:O-1"/></cybox:Observable_Composition></cybox:Observable>
       <cybox:Observable id="ex:O-2">${address('192.0.2.1')}</cybox:Observable>
       <cybox:Observable id="ex:O-3">${address('192.0.2.3')}</cybox:Observable>
     </stix:Observables>`,
  )
  const { entities } = await read(text)
  assert.deepEqual(valuesOf(entities.get('Indicator-1')), ['ipv4 192.0.2.1'])
  const container = entities.get('Package-1')
  assert.deepEqual(
    [container?.data.type, container?.data.title, valuesOf(container)],
    ['report', 'a.xml', ['ipv4 192.0.2.3']],
  )
})

test('lists of values become several observables; negated and unequal conditions become none, and are kept', async () => {
  const { entities, losses } = await read(
    stixPackage(
      indicators(
        indicator(
          `<indicator:Observable>${address('192.0.2.1##comma##192.0.2.2, 192[.]0[.]2[.]3', 'condition="Equals" apply_condition="ANY"')}</indicator:Observable>`,
          'ex:a',
        ),
        indicator(
          `<indicator:Observable>${address('192.0.2.', 'condition="StartsWith"')}</indicator:Observable>`,
          'ex:b',
        ),
        indicator(`<indicator:Observable negate="true">${address('192.0.2.9')}</indicator:Observable>`, 'ex:c'),
        indicator(`<indicator:Observable>${address('192.0.2.9')}</indicator:Observable>`, 'ex:d', 'negate="true"'),
        indicator(
          `<indicator:Observable>${address('192.0.2.1##comma##192.0.2.8', 'condition="InclusiveBetween"')}</indicator:Observable>`,
          'ex:e',
        ),
      ),
    ),
  )
  assert.deepEqual(valuesOf(entities.get('a')), ['ipv4 192.0.2.1', 'ipv4 192.0.2.2', 'ipv4 192.0.2.3'])
  for (const name of ['b', 'c', 'd']) {
    assert.deepEqual(valuesOf(entities.get(name)), [])
    assert.match(JSON.stringify(entities.get(name)?.data.stix1), /192\.0\.2\./)
  }
  assert.equal(valuesOf(entities.get('e'))[0]?.startsWith('inetnum 192.0.2.1'), true)
  assert.match(losses.join('\n'), /condition StartsWith is not imported as an observable/)
})

test('a package with a description becomes a report on its contents, and nested packages are read', async () => {
  const inner = `<stix:Package id="ex:Package-2">${indicators(indicator('<indicator:Title>In</indicator:Title>', 'ex:in'))}</stix:Package>`
  const { entities, edges } = await read(
    stixPackage(
      `<stix:STIX_Header><stix:Title>Big</stix:Title><stix:Handling>${marking('AMBER')}</stix:Handling></stix:STIX_Header>
       ${indicators(indicator('', 'ex:out'))}<stix:Related_Packages><stix:Related_Package>${inner}</stix:Related_Package></stix:Related_Packages>`,
    ),
  )
  assert.deepEqual([...entities.keys()], ['out', 'in', 'Package-1'])
  assert.deepEqual([entities.get('Package-1')?.data.title, edges], ['Big', ['Package-1 indicators out']])
  assert.deepEqual(entities.get('in')?.meta, { tlp_color: 'AMBER' })
})

test('the stricter colour wins, wherever the header is, and conditional markings apply to everything', async () => {
  const own = (colour: string) =>
    indicator(`<indicator:Handling>${marking(colour)}</indicator:Handling>`, `ex:${colour}`)
  const header = `<stix:STIX_Header><stix:Handling>${marking('AMBER', "//stix:Indicator[@id='x']")}</stix:Handling></stix:STIX_Header>`
  const { entities, losses } = await read(stixPackage(indicators(own('GREEN'), own('RED'), own('PURPLE')) + header))
  assert.deepEqual(
    [...entities.values()].map(({ meta }) => meta?.tlp_color),
    ['AMBER', 'RED', 'RED'],
  )
  assert.match(losses.join('\n'), /meant for[\s\S]*whole package|PURPLE[\s\S]*RED/)
})

test('nested components become separate entities, with the relationship and its description', async () => {
  const { entities, edges, data } = await read(
    stixPackage(`<stix:Campaigns><stix:Campaign id="ex:c"><campaign:Title>C</campaign:Title><campaign:Attribution><campaign:Attributed_Threat_Actor>
      <stixCommon:Confidence><stixCommon:Value>Low</stixCommon:Value></stixCommon:Confidence><stixCommon:Relationship>Led by</stixCommon:Relationship>
      <stixCommon:Threat_Actor id="ex:t"><ta:Title>T</ta:Title></stixCommon:Threat_Actor></campaign:Attributed_Threat_Actor></campaign:Attribution></stix:Campaign></stix:Campaigns>`),
  )
  assert.deepEqual([...entities.keys()], ['t', 'c'])
  assert.deepEqual(edges, ['c attributed-threat-actors t'])
  assert.deepEqual([data[0]?.description, data[0]?.confidence], ['Led by', 'low'])
})

test('a sighting becomes an entity related to its indicator', async () => {
  const sighting = `<indicator:Sightings><indicator:Sighting timestamp="2020-01-01T00:00:00Z"><indicator:Related_Observables><indicator:Related_Observable>
    <stixCommon:Observable>${address('192.0.2.7')}</stixCommon:Observable></indicator:Related_Observable></indicator:Related_Observables></indicator:Sighting></indicator:Sightings>`
  const { entities, edges } = await read(
    stixPackage(indicators(indicator(`<indicator:Title>X</indicator:Title>${sighting}`))),
  )
  const [first] = [...entities.values()].filter(({ data }) => data.type === 'vendor-sighting')
  assert.deepEqual(
    [first?.data.title, first?.data.last_seen, valuesOf(first)],
    ['Sighting of X', '2020-01-01T00:00:00Z', ['ipv4 192.0.2.7']],
  )
  assert.match(edges.join(), /^sighting-\S+ sighting-of Indicator-1$/)
})

test('the newest of several versions of a component is used', async () => {
  const version = (title: string, time: string) =>
    indicator(`<indicator:Title>${title}</indicator:Title>`, 'ex:i', `timestamp="${time}"`)
  const { entities, losses } = await read(
    stixPackage(indicators(version('new', '2020-01-02T00:00:00Z'), version('old', '2020-01-01T00:00:00Z'))),
  )
  assert.deepEqual([entities.get('i')?.data.title, losses], ['new', ['the document contains a newer version']])
})

test('data without a field is kept as XML and reported', async () => {
  const { entities, losses } = await read(
    stixPackage(
      indicators(indicator('<indicator:Title>X</indicator:Title><indicator:Unheard of="it">text</indicator:Unheard>')),
    ),
  )
  assert.match(
    JSON.stringify(entities.get('Indicator-1')?.data.stix1),
    /^\{"left":\[\{"path":"Unheard","xml":"<indicator:Unheard /,
  )
  assert.match(losses.join(), /^Unheard: kept in data.stix1/)
})

test('the same document gives the same findings, with generated ids where there are none', async () => {
  const text = stixPackage(indicators('<stix:Indicator><indicator:Title>X</indicator:Title></stix:Indicator>'), '')
  const [first, again] = [await read(text), await read(text)]
  assert.deepEqual(first.findings, again.findings)
  assert.match([...first.entities.keys()].join(), /^indicator-[\da-f-]{36}$/)
})

test('documents that are not STIX are rejected', async () => {
  for (const text of ['<a/>', '<stix:STIX_Package/>', '<!DOCTYPE a><a/>'])
    await assert.rejects(read(text), DocumentError)
})

test('circular references and hundreds of thousands of values are handled', async () => {
  const chain = Array.from(
    { length: 2000 },
    (_, index) => `<cybox:Observable id="ex:O-${index}"><cybox:Observable_Composition operator="OR">
    <cybox:Observable idref="ex:O-${(index + 1) % 2000}"/></cybox:Observable_Composition></cybox:Observable>`,
  )
  const many = Array.from({ length: 2000 }, (_, index) =>
    indicator('<indicator:Observable idref="ex:O-0"/>', `ex:i-${index}`),
  )
  const { losses } = await read(
    stixPackage(`<stix:Observables>${chain.join('')}</stix:Observables>${indicators(...many)}`),
  )
  assert.match(losses.join('\n'), /too many references/)
  const list = Array.from({ length: 150_000 }, (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)
  const { entities } = await read(
    stixPackage(
      indicators(indicator(`<indicator:Observable>${address(list.join('##comma##'))}</indicator:Observable>`)),
    ),
  )
  assert.equal(valuesOf(entities.get('Indicator-1')).length, 150_000)
})

test('dangling references and duplicate ids are reported', async () => {
  const { losses } = await read(
    stixPackage(`${indicators(`${indicator('<indicator:Title>one</indicator:Title>', 'ex:i-1')}
      ${indicator('<indicator:Title>two</indicator:Title>', 'ex:i-1')}
      <stix:Indicator idref="ex:Indicator-${UUID}"/>`)}
    <stix:Observables><cybox:Observable idref="ex:O-9"/></stix:Observables>`),
  )
  assert.ok(
    losses.includes('another component in the document has the same id; the first one is used'),
    losses.join('\n'),
  )
  assert.ok(losses.some((loss) => /^it refers to '.*' which is not in the document$/.test(loss.replace(',', ''))))
  assert.ok(losses.some((loss) => /^the observable '.*O-9' is not in the document$/.test(loss)))
})
