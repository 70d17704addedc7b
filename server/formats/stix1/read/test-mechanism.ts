import { normaliseObservable } from '../../../domain/observables/normalise.ts'
import { itemsIn } from '../../openioc/ioc-items.ts'
import { attributeOf, childOf, childrenOf, textOf, typeNameOf, type XmlElement } from '../../xml/xml-element.ts'
import { xmlText } from '../../xml/xml-text.ts'
import { MECHANISM_VOCABULARY, PATTERN_VOCABULARY } from '../own-vocabularies.ts'
import { stixIdOf } from '../stix1-ids.ts'
import { addObservable, type EntityDraft, set } from './draft.ts'
import { append, compact, type Json } from './json.ts'
import { descriptionOf, informationSourceOf, termOf } from './records.ts'
import { levelOf } from './statements.ts'
import { takeAttribute, takeText, takeTexts } from './taken.ts'

/** Reads a test mechanism of an indicator: the rules of a tool, or the complete content of any other mechanism. */
export function testMechanismOf(element: XmlElement, draft: EntityDraft): Json | undefined {
  const { taken } = draft
  const vocabulary = attributeOf(childOf(element, 'Type'), 'vocab_name')
  if (vocabulary === PATTERN_VOCABULARY) return readPattern(element, draft)
  // The writer stores mechanisms that STIX does not define as generic ones, with the original type.
  const own = vocabulary === MECHANISM_VOCABULARY ? takeText(element, 'Type', taken) : undefined
  const type = own ?? TYPES.get(typeNameOf(element)) ?? 'other'
  const rules = takeTexts(element, 'Rule', taken)
  if (type === 'snort' || type === 'yara') for (const rule of rules) addRule(draft, type, rule)
  const record = compact({
    id: stixIdOf(element, 'id'),
    idref: stixIdOf(element, 'idref'),
    efficacy: levelOf(childOf(element, 'Efficacy'), taken),
    producer: informationSourceOf(childOf(element, 'Producer'), taken),
    product_name: takeText(element, 'Product_Name', taken),
    version: takeText(element, 'Version', taken),
    rules,
    event_filters: takeTexts(element, 'Event_Filter', taken),
    rate_filters: takeTexts(element, 'Rate_Filter', taken),
    event_suppressions: takeTexts(element, 'Event_Suppression', taken),
    description: descriptionOf(element, 'Description', taken),
    [own === undefined ? 'specification' : 'xml']: takeText(element, 'Specification', taken),
    specification_type: own === undefined ? termOf(childOf(element, 'Type'), taken) : undefined,
    reference_location: takeAttribute(element, 'reference_location', taken),
    ...(own === undefined && (type === 'other' || type === 'openioc') && { xml: contentOf(element, draft) }),
  })
  return record && { type: 'test-mechanism', test_mechanism_type: type, ...record }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['GenericTestMechanismType', 'generic'],
  ['OpenIOC2010TestMechanismType', 'openioc'],
  ['SnortTestMechanismType', 'snort'],
  ['YaraTestMechanismType', 'yara'],
])

/** The writer stores the pattern of a STIX 2 indicator as a test mechanism; this reads it back. */
function readPattern(element: XmlElement, draft: EntityDraft): undefined {
  draft.taken.add(element)
  set(draft, 'pattern', textOf(childOf(element, 'Specification')))
  set(draft, 'pattern_type', textOf(childOf(element, 'Type')))
}

function addRule(draft: EntityDraft, type: 'snort' | 'yara', rule: string): void {
  const normalised = normaliseObservable(type, rule)
  if ('value' in normalised) addObservable(draft, { type, value: normalised.value })
}

/** Returns the content of the extension as XML. */
function contentOf(element: XmlElement, draft: EntityDraft): string | undefined {
  const content = childrenOf(element).filter((child) => child.name !== 'Efficacy' && child.name !== 'Producer')
  for (const child of content) {
    draft.taken.add(child)
    if (child.name !== 'ioc') continue
    const { observables, losses } = itemsIn(child)
    append(draft.observables, observables)
    append(draft.losses, losses)
  }
  return content.some((child) => textOf(child) !== '' || attributeOf(child, 'id') !== '')
    ? content.map(xmlText).join('')
    : undefined
}
