import { useEffect, useRef } from 'react'
import classes from './query-box.module.css'
import type { Suggestion } from './use-suggestions.ts'

interface SuggestionListProps {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly active: number
  readonly onChoose: (index: number) => void
}

/** Suggestions for the text being typed; the input keeps the focus. */
export function SuggestionList({ id, suggestions, active, onChoose }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers return a promise here, which must not be the result of an effect.
    void list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      className={classes.proposals}
      hidden={suggestions.length === 0}
    >
      {suggestions.map(({ text, note }, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus, as in the combobox pattern
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
