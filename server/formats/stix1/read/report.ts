import { childOf, childrenOf } from '../../xml/xml-element.ts'
import { REPORT_TYPES } from '../own-vocabularies.ts'
import { type Draft, set, takeObservables } from './draft.ts'
import { link, linkList, type ReadInner } from './links.ts'
import { termsApart } from './records.ts'

/** The lists of components in a report, and the keys of the relationships to them. */
export const CONTENTS: readonly (readonly [list: string, component: string, key: string])[] = [
  ['Indicators', 'Indicator', 'indicators'],
  ['TTPs', 'TTP', 'ttps'],
  ['Exploit_Targets', 'Exploit_Target', 'exploit-targets'],
  ['Incidents', 'Incident', 'incidents'],
  ['Courses_Of_Action', 'Course_Of_Action', 'courses-of-action'],
  ['Campaigns', 'Campaign', 'campaigns'],
  ['Threat_Actors', 'Threat_Actor', 'threat-actors'],
]

/** Reads what was published as a whole. */
export function readReport(draft: Draft, readInner: ReadInner): void {
  const { element, taken } = draft
  const { terms, words } = termsApart(childOf(element, 'Header'), 'Intent', REPORT_TYPES, taken)
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

/** A sighting is written as a report about what was seen. */
const keyFor = ({ type }: Draft, key: string): string => (type === 'vendor-sighting' ? 'sighting-of' : key)
