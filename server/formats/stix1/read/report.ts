import { childOf, childrenOf } from '../../xml/xml-element.ts'
import { REPORT_TYPES } from '../own-vocabularies.ts'
import { type EntityDraft, set, takeObservables } from './draft.ts'
import { link, linkList, type ReadInner } from './links.ts'
import { termsByVocabulary } from './records.ts'

/** The component lists of a report, and the relationship keys for them. */
export const CONTENTS: readonly (readonly [list: string, component: string, key: string])[] = [
  ['Indicators', 'Indicator', 'indicators'],
  ['TTPs', 'TTP', 'ttps'],
  ['Exploit_Targets', 'Exploit_Target', 'exploit-targets'],
  ['Incidents', 'Incident', 'incidents'],
  ['Courses_Of_Action', 'Course_Of_Action', 'courses-of-action'],
  ['Campaigns', 'Campaign', 'campaigns'],
  ['Threat_Actors', 'Threat_Actor', 'threat-actors'],
]

/** Reads a report. */
export function readReport(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  const { terms, words } = termsByVocabulary(childOf(element, 'Header'), 'Intent', REPORT_TYPES, taken)
  set(draft, 'intents', terms)
  set(draft, 'report_types', words)
  takeObservables(draft, childOf(element, 'Observables'))
  for (const [list, component, key] of CONTENTS)
    for (const section of childrenOf(element, list))
      childrenOf(section, component).forEach((item, index) => {
        link(draft, item, `${list}/${component}[${index + 1}]`, keyFor(draft, key), readInner)
      })
  linkList(draft, 'Related_Reports', 'Related_Report', 'related-reports', readInner)
}

/** A sighting is written as a report on what was seen. */
const keyFor = ({ type }: EntityDraft, key: string): string => (type === 'vendor-sighting' ? 'sighting-of' : key)
