import { useEffect, useRef } from 'react'
import classes from './query-box.module.css'
import type { Suggestion } from './use-suggestions.ts'

interface SuggestionListProps {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  readonly onChoose: (index: number) => void
}

/** What may take the place of what is being typed; the box keeps the focus. */
export function SuggestionList({ id, suggestions, active, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // New browsers answer this with a promise, which is nothing that an effect may answer.
    void list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Proposals"
      tabIndex={-1}
      className={classes.proposals}
      hidden={suggestions.length === 0}
    >
      {suggestions.map(({ text, note }, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus, as the pattern of a combobox wants
        <div
          key={text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className={classes.proposal}
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(index)
          }}
        >
          <span className="code">{text}</span>
          <span className={classes.note}>{note}</span>
        </div>
      ))}
    </div>
  )
}
