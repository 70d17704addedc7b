import { attributeOf, childOf, childrenOf, type XmlElement } from '../../xml/xml-element.ts'
import { INDICATOR_TYPES } from '../own-vocabularies.ts'
import { madeId, stixIdOf } from '../stix1-ids.ts'
import { type EntityDraft, set, takeObservables } from './draft.ts'
import { killChainPhasesOf } from './kill-chain.ts'
import { link, linkList, type ReadInner, relate } from './links.ts'
import { termsByVocabulary, timeFieldsOf } from './records.ts'
import { readSighting } from './sighting.ts'
import { levelOf } from './statements.ts'
import { takeAttribute, takeTexts } from './taken.ts'
import { testMechanismOf } from './test-mechanism.ts'

/** Reads an indicator. */
export function readIndicator(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  const { terms, words } = termsByVocabulary(element, 'Type', INDICATOR_TYPES, taken)
  set(draft, 'types', terms)
  set(draft, 'indicator_types', words)
  set(draft, 'alternative_ids', takeTexts(element, 'Alternative_ID', taken))
  readValidity(draft)
  if (takeAttribute(element, 'negate', taken) === 'true') {
    set(draft, 'negate', true)
    draft.losses.push('the indicator is negated: its observables are kept, but not imported as observables')
  } else for (const observable of childrenOf(element, 'Observable')) takeObservables(draft, observable)
  readComposition(draft, readInner)
  set(draft, 'kill_chain_phases', killChainPhasesOf(draft, 'indicator'))
  const mechanisms = childOf(element, 'Test_Mechanisms')
  set(
    draft,
    'test_mechanisms',
    mechanisms && childrenOf(mechanisms, 'Test_Mechanism').map((one) => testMechanismOf(one, draft)),
  )
  set(draft, 'likely_impact', levelOf(childOf(element, 'Likely_Impact'), taken))
  childrenOf(element, 'Indicated_TTP').forEach((item, index) => {
    link(draft, item, `Indicated_TTP[${index + 1}]`, 'indicated-ttps', readInner)
  })
  linkList(draft, 'Suggested_COAs', 'Suggested_COA', 'suggested-coas', readInner)
  linkList(draft, 'Related_Indicators', 'Related_Indicator', 'related-indicators', readInner)
  linkList(draft, 'Related_Campaigns', 'Related_Campaign', 'related-campaigns', readInner)
  readSightings(draft)
}

function readValidity(draft: EntityDraft): void {
  const [first] = childrenOf(draft.element, 'Valid_Time_Position')
  if (!first) return
  const start = timeFieldsOf(childOf(first, 'Start_Time'), 'valid_from', draft.taken)
  const end = timeFieldsOf(childOf(first, 'End_Time'), 'valid_until', draft.taken)
  Object.assign(draft.data, Object.fromEntries([...start, ...end]))
}

/** A composite indicator is related to each of its parts, with the operator as the description. */
function readComposition(draft: EntityDraft, readInner: ReadInner): void {
  const composition = childOf(draft.element, 'Composite_Indicator_Expression')
  if (!composition) return
  const description = takeAttribute(composition, 'operator', draft.taken) ?? 'OR'
  childrenOf(composition, 'Indicator').forEach((inner, index) => {
    const at = `${draft.at}/Composite_Indicator_Expression/Indicator[${index + 1}]`
    const target = readInner(inner, at, draft)
    if (target === undefined) return
    draft.taken.add(inner)
    relate(draft, { key: 'composite-indicator-expression', description }, target, at)
  })
}

function readSightings(draft: EntityDraft): void {
  const list = childOf(draft.element, 'Sightings')
  if (!list) return
  const sightings = childrenOf(list, 'Sighting')
  const count = Number(attributeOf(list, 'sightings_count'))
  if (Number.isInteger(count) && count > 0 && count <= 999_999_999 && sightings.length === 0) {
    takeAttribute(list, 'sightings_count', draft.taken)
    readSighting(list, sightingId(draft, list, 0), draft, `${draft.at}/Sightings`, count)
  }
  if (count === sightings.length) takeAttribute(list, 'sightings_count', draft.taken)
  sightings.forEach((sighting, index) => {
    draft.taken.add(sighting)
    readSighting(sighting, sightingId(draft, sighting, index), draft, `${draft.at}/Sightings/Sighting[${index + 1}]`, 1)
  })
}

const sightingId = (draft: EntityDraft, element: XmlElement, index: number): string =>
  stixIdOf(element, 'id') ??
  madeId(draft.setting.namespace, 'sighting', draft.id, attributeOf(element, 'timestamp'), String(index))
