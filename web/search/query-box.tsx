import { ActionIcon, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, memo, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { refangQuery } from '../../server/domain/typed-query.ts'
import type { QueryFault } from '../api/query-fault.ts'
import { Icon } from '../ui/icon.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { FaultMark } from './fault-mark.tsx'
import type { Searched } from './filters.ts'
import classes from './query-box.module.css'
import { complete, typedAt } from './query-text.ts'
import { fieldsQuery } from './search-queries.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { useSuggestions } from './use-suggestions.ts'

/** A query to put into the box without running it; each object once. */
export interface Draft {
  readonly query: string
}

interface QueryBoxProps {
  readonly searched: Searched
  /** The query of the current results. */
  readonly query: string
  readonly fault: QueryFault | undefined
  readonly draft?: Draft | undefined
  readonly onSearch: (query: string) => void
}

const PLACEHOLDERS: Readonly<Record<Searched, string>> = {
  entities: 'Search for words, or tags:phishing AND created_at:>now-7d',
  observables: 'Search for values, or type:domain AND value:*.example',
}

/** The query input, with suggestions for fields and values and a marker for syntax errors. Keeps the typed text until it is submitted. */
export const QueryBox = memo(function QueryBox({ searched, query, fault, draft, onSearch }: QueryBoxProps) {
  const [text, setText] = useState(query)
  const [caret, setCaret] = useState(query.length)
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [scroll, setScroll] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  /** The caret position to set after a suggestion was accepted. */
  const placed = useRef<number | null>(null)
  const listId = useId()
  const faultId = useId()
  useEffect(() => setText(query), [query])
  useEffect(() => {
    if (!draft) return
    setText(draft.query)
    input.current?.focus()
  }, [draft])
  // Set synchronously: otherwise the caret would jump back while the user continues to type.
  useLayoutEffect(() => {
    if (placed.current !== null) input.current?.setSelectionRange(placed.current, placed.current)
    placed.current = null
  })
  // Loaded before the first keystroke.
  useQuery(fieldsQuery(searched))
  useShortcuts(useMemo(() => [{ keys: '/', label: 'Search', run: () => focusOn(input.current) }], []))
  const typed = useMemo(() => (isOpen ? typedAt(text, caret) : undefined), [isOpen, text, caret])
  const suggestions = useSuggestions(searched, typed)
  const isShown = suggestions.length > 0

  const close = () => {
    setIsOpen(false)
    setActive(-1)
  }
  const send = (sent: string) => {
    close()
    const refanged = refangQuery(sent.trim())
    setText(refanged)
    onSearch(refanged)
  }
  const take = (index: number) => {
    const chosen = suggestions[index]
    if (!chosen || !typed) return
    const done = complete(text, typed, chosen.text)
    setText(done.text)
    setCaret(done.caret)
    setActive(-1)
    placed.current = done.caret
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) setIsOpen(true)
      else if (isShown) setActive(moved(active, event.key === 'ArrowDown' ? 1 : -1, suggestions.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (isShown && active >= 0) take(active)
      else send(text)
    } else if (event.key === 'Tab' && isShown && active >= 0) {
      event.preventDefault()
      take(active)
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      close()
    }
  }

  return (
    <form
      className={classes.box}
      onSubmit={(event) => {
        event.preventDefault()
        send(text)
      }}
    >
      <span className={classes.boxIcon}>
        <Icon name="search" />
      </span>
      <input
        ref={input}
        className={classes.input}
        data-search-box
        data-has-fault={fault !== undefined || undefined}
        type="text"
        role="combobox"
        aria-label="Query"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${listId}-${active}` : undefined}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? faultId : undefined}
        placeholder={PLACEHOLDERS[searched]}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={20_000}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setCaret(currentTarget.selectionStart ?? currentTarget.value.length)
          setActive(-1)
          setIsOpen(true)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
        onScroll={({ currentTarget }) => setScroll(currentTarget.scrollLeft)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {text !== '' && (
        <ActionIcon
          className={classes.boxClear}
          variant="subtle"
          color="gray"
          aria-label="Clear query"
          onClick={() => {
            setText('')
            send('')
            focusOn(input.current)
          }}
        >
          <Icon name="close" size={14} />
        </ActionIcon>
      )}
      <SuggestionList id={listId} suggestions={suggestions} active={active} onChoose={take} />
      {fault && text.trim() === query.trim() && <FaultMark id={faultId} fault={fault} scroll={scroll} />}
      <Text component="span" className={classes.spoken} role="status">
        {isShown ? `${suggestions.length} suggestions` : ''}
      </Text>
      <Button type="submit" className={classes.boxSend} size="compact-sm">
        Search
      </Button>
    </form>
  )
})

/** Cycles through the list, with no selection between its end and its start. */
const moved = (active: number, by: number, count: number): number => ((active + 1 + by + count + 1) % (count + 1)) - 1

function focusOn(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
