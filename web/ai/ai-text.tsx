import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import richText from '../ui/rich-text.module.css'
import { answerFragment, type CitationPlace } from './answer-fragment.ts'
import { CitationChip } from './citation-chip.tsx'
import type { Citation, UnverifiedValue } from './made.ts'

interface AiTextProps {
  readonly text: string
  readonly format?: 'html' | 'markdown'
  readonly citations?: readonly Citation[]
  readonly unverified?: readonly UnverifiedValue[]
}

const NO_CITATIONS: readonly Citation[] = []
const NO_VALUES: readonly UnverifiedValue[] = []

/** Text that a language model wrote. Its citations are chips with the quote; values that no source has are marked. */
export function AiText({ text, format = 'markdown', citations = NO_CITATIONS, unverified = NO_VALUES }: AiTextProps) {
  const shown = useDeferredValue(text)
  const place = useRef<HTMLDivElement>(null)
  const [places, setPlaces] = useState<readonly CitationPlace[]>([])
  useLayoutEffect(() => {
    const values = unverified.map(({ value }) => value)
    const answer = answerFragment(shown, new Set(citations.map(({ n }) => n)), values, format)
    place.current?.replaceChildren(answer.fragment)
    setPlaces(answer.places)
  }, [shown, citations, unverified, format])
  return (
    <>
      <div ref={place} className={richText.text} />
      {places.map(({ n, element }, i) => {
        const citation = citations.find((each) => each.n === n)
        return citation && createPortal(<CitationChip citation={citation} />, element, `${i} ${n}`)
      })}
    </>
  )
}
