import { type XmlContent, type XmlNode, xml } from '../../xml/write-xml.ts'
import { MECHANISM_VOCABULARY, PATTERN_VOCABULARY } from '../own-vocabularies.ts'
import { type Json, recordsIn, textIn, wordsIn } from './fields.ts'
import type { Outgoing } from './outgoing.ts'
import { informationSourceNode } from './sources.ts'
import { statementNode } from './statements.ts'
import { describe, termNode, uriOf } from './terms.ts'

/** Writes the test mechanisms of an indicator: the imported ones, and its STIX 2 pattern. */
export function testMechanismNodes(out: Outgoing): XmlContent {
  const pattern = textIn(out.fields.get('pattern'))
  const language = textIn(out.fields.get('pattern_type')) ?? 'stix'
  return [
    recordsIn(out.fields.get('test_mechanisms')).flatMap((mechanism) => mechanismNodes(mechanism, out)),
    pattern === undefined ? undefined : generic(out, {}, marked(PATTERN_VOCABULARY, language), specification(pattern)),
  ]
}

function mechanismNodes(mechanism: Json, out: Outgoing): XmlNode[] {
  const type = textIn(mechanism.test_mechanism_type) ?? 'other'
  const rules = [...wordsIn(mechanism.rules)]
  if (type === 'snort') return [snort(mechanism, rules, out)]
  // Each mechanism has at most one rule.
  if (type === 'yara') return rules.map((rule) => yara(mechanism, rule, out))
  const content = textIn(mechanism.xml)
  if (content !== undefined)
    return [generic(out, mechanism, marked(MECHANISM_VOCABULARY, type), specification(content))]
  const text = textIn(mechanism.specification) ?? (rules.length > 0 ? rules.join('\n') : undefined)
  return [
    generic(
      out,
      mechanism,
      termNode('genericTM:Type', mechanism.specification_type ?? (type === 'generic' ? undefined : type), undefined),
      text === undefined ? undefined : specification(text),
    ),
  ]
}

const marked = (vocab_name: string, type: string): XmlNode => xml('genericTM:Type', { vocab_name }, type)
const specification = (text: string): XmlNode => xml('genericTM:Specification', {}, text)

function mechanism(
  type: string,
  record: Json,
  out: Outgoing,
  attributes: Readonly<Record<string, string | undefined>>,
  content: XmlContent,
): XmlNode {
  return xml(
    'indicator:Test_Mechanism',
    { 'xsi:type': type, id: out.naming.optional(record.id), idref: out.naming.optional(record.idref), ...attributes },
    statementNode('indicator:Efficacy', record.efficacy, 'HighMediumLowVocab-1.0', out.naming),
    informationSourceNode('indicator:Producer', record.producer, out.naming),
    content,
  )
}

function generic(out: Outgoing, record: Json, type: XmlContent, content: XmlContent): XmlNode {
  const attributes = { reference_location: uriOf(record.reference_location) }
  return mechanism('genericTM:GenericTestMechanismType', record, out, attributes, [
    describe('genericTM:Description', record.description),
    type,
    content,
  ])
}

function snort(record: Json, rules: readonly string[], out: Outgoing): XmlNode {
  const all = (name: string, values: readonly string[]) => values.map((value) => xml(`snortTM:${name}`, {}, value))
  return mechanism('snortTM:SnortTestMechanismType', record, out, {}, [
    describe('snortTM:Product_Name', record.product_name),
    describe('snortTM:Version', record.version),
    all('Rule', rules),
    all('Event_Filter', wordsIn(record.event_filters)),
    all('Rate_Filter', wordsIn(record.rate_filters)),
    all('Event_Suppression', wordsIn(record.event_suppressions)),
  ])
}

const yara = (record: Json, rule: string, out: Outgoing): XmlNode =>
  mechanism('yaraTM:YaraTestMechanismType', record, out, {}, [
    describe('yaraTM:Version', record.version),
    xml('yaraTM:Rule', {}, rule),
  ])
