import { ActionIcon, Button, Group, Input, Select, Stack, Text, TextInput } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import { OBSERVABLE_TYPE_NAMES, typeLookedLike } from '../../domain/observables.ts'
import { type FieldFault, faultsInside, faultText } from '../../forms/field-faults.ts'
import { labelOf } from '../../forms/labels.ts'
import { pathText } from '../../forms/paths.ts'

/** An observable as entered in a form. */
export interface WrittenObservable {
  readonly type: string
  readonly value: string
  readonly maliciousness?: string
}

const TYPES = OBSERVABLE_TYPE_NAMES.map((type) => ({ value: type, label: type }))

/** The levels of maliciousness. */
export const MALICIOUSNESS = ['unknown', 'safe', 'low', 'medium', 'high']

const EMPTY: WrittenObservable = { type: '', value: '' }

/** Splits pasted or typed text into lines and detects the type of each. */
export const observablesOf = (text: string): readonly WrittenObservable[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((value) => ({ type: typeLookedLike(value) ?? '', value }))

interface ObservablesFieldProps {
  readonly value: readonly WrittenObservable[]
  readonly onChange: (value: readonly WrittenObservable[]) => void
  /** Validation errors of `observables` in the request. */
  readonly faults: readonly FieldFault[]
  /** The number of observables that precede these in the request. */
  readonly offset?: number
}

/** Observables to add: the type is detected from the value until the user selects another one. */
export function ObservablesField({ value, onChange, faults, offset = 0 }: ObservablesFieldProps) {
  const change = (at: number, next: WrittenObservable) => onChange(value.map((each, i) => (i === at ? next : each)))
  const paste = (at: number, event: ClipboardEvent) => {
    const lines = observablesOf(event.clipboardData.getData('text/plain'))
    if (lines.length < 2) return
    event.preventDefault()
    onChange([...value.slice(0, at), ...lines, ...value.slice(at + 1)])
  }
  return (
    <Input.Wrapper
      label="Observables"
      description="Enter one per line. A pasted list is split into lines."
      labelElement="div"
      error={faultText(
        faults.filter(({ path }) => path === 'observables'),
        ['observables'],
      )}
    >
      <Stack gap="xs" mt={4}>
        {value.map((observable, i) => (
          <ObservableLine
            key={pathText(['observables', i])}
            number={i + 1}
            observable={observable}
            faults={faultsInside(faults, ['observables', offset + i])}
            onChange={(next) => change(i, next)}
            onPaste={(event) => paste(i, event)}
            onRemove={() => onChange(value.filter((_, other) => other !== i))}
          />
        ))}
        <div>
          <Button size="compact-sm" variant="default" onClick={() => onChange([...value, EMPTY])}>
            Add observable
          </Button>
        </div>
      </Stack>
    </Input.Wrapper>
  )
}

interface ObservableLineProps {
  readonly number: number
  readonly observable: WrittenObservable
  readonly faults: readonly FieldFault[]
  readonly onChange: (observable: WrittenObservable) => void
  readonly onPaste: (event: ClipboardEvent) => void
  readonly onRemove: () => void
}

function ObservableLine({ number, observable, faults, onChange, onPaste, onRemove }: ObservableLineProps) {
  const { type, value } = observable
  const retype = (next: string) => {
    const isOwnChoice = type !== '' && type !== typeLookedLike(value)
    onChange({ ...observable, value: next, type: isOwnChoice ? type : (typeLookedLike(next) ?? '') })
  }
  const typeFault = faults.find(({ path }) => path.endsWith('.type'))
  const others = faults.filter((fault) => fault !== typeFault).map(({ text }) => text)
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        flex={3}
        miw={0}
        aria-label={`Value of observable ${number}`}
        placeholder="evil[.]example, 192.0.2.1, a hash…"
        classNames={{ input: 'code' }}
        value={value}
        error={others.length > 0 ? others.join('; ') : undefined}
        onChange={(event) => retype(event.currentTarget.value)}
        onPaste={onPaste}
        autoFocus={value === ''}
      />
      <Select
        openOnFocus={false}
        flex={2}
        miw={0}
        aria-label={`Type of observable ${number}`}
        placeholder="Type"
        data={TYPES}
        searchable
        value={type === '' ? null : type}
        onChange={(next) => onChange({ ...observable, type: next ?? '' })}
        error={typeFault?.text}
      />
      <Select
        openOnFocus={false}
        flex={1}
        miw={96}
        aria-label={`Maliciousness of observable ${number}`}
        data={MALICIOUSNESS.map((level) => ({ value: level, label: labelOf(level) }))}
        value={observable.maliciousness ?? 'unknown'}
        onChange={(level) => onChange({ ...observable, maliciousness: level ?? 'unknown' })}
        allowDeselect={false}
      />
      <ActionIcon mt={4} variant="subtle" color="red" aria-label={`Remove observable ${number}`} onClick={onRemove}>
        <Text span inherit aria-hidden>
          ✕
        </Text>
      </ActionIcon>
    </Group>
  )
}
