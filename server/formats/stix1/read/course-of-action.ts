import { childOf, textOf, type XmlElement } from '../../xml/xml-element.ts'
import { type Vocabulary, wordsOf } from '../vocabularies.ts'
import { type EntityDraft, set, takeObservables } from './draft.ts'
import { compact, type Json } from './json.ts'
import { linkList, type ReadInner } from './links.ts'
import { descriptionOf } from './records.ts'
import { confidenceOf, levelOf } from './statements.ts'

/** Reads a course of action. */
export function readCourseOfAction(draft: EntityDraft, readInner: ReadInner): void {
  const { element, taken } = draft
  set(draft, 'stage', wordOf(draft, 'Stage', 'COAStageVocab-1.0'))
  set(draft, 'coa_type', wordOf(draft, 'Type', 'CourseOfActionTypeVocab-1.0'))
  set(draft, 'objective', objectiveOf(childOf(element, 'Objective'), draft))
  takeObservables(draft, childOf(element, 'Parameter_Observables'))
  set(draft, 'impact', levelOf(childOf(element, 'Impact'), taken))
  set(draft, 'cost', levelOf(childOf(element, 'Cost'), taken))
  set(draft, 'efficacy', levelOf(childOf(element, 'Efficacy'), taken))
  linkList(draft, 'Related_COAs', 'Related_COA', 'related-coas', readInner)
}

/** Returns a word if it is part of the platform's vocabulary. Other words are left unread. */
function wordOf(draft: EntityDraft, name: string, vocabulary: Vocabulary): string | undefined {
  const element = childOf(draft.element, name)
  if (!element || !wordsOf(vocabulary).has(textOf(element))) return undefined
  draft.taken.add(element)
  return textOf(element)
}

function objectiveOf(element: XmlElement | undefined, { taken }: EntityDraft): Json | undefined {
  if (!element) return undefined
  const confidence = confidenceOf(childOf(element, 'Applicability_Confidence'), taken)
  const record = compact({
    description: descriptionOf(element, 'Description', taken),
    short_description: descriptionOf(element, 'Short_Description', taken),
    applicability_confidence:
      typeof confidence === 'string'
        ? { value: `${confidence.charAt(0).toUpperCase()}${confidence.slice(1)}` }
        : confidence,
  })
  return record && { type: 'objective', ...record }
}
