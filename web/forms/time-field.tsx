import '@mantine/dates/styles.layer.css'
import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { inSentence } from '../ui/in-sentence.ts'
import type { InputProps } from './input-props.ts'
import { dayOf, inUtc, withDay } from './time-text.ts'

/** A time: typed or pasted, or its day picked from a calendar. */
export const TimeField = (props: InputProps) => (
  <Dated {...props} placeholder="2024-01-29T07:42Z" pick={(text, day) => withDay(text, day)} />
)

/** A date. */
export const DayField = (props: InputProps) => <Dated {...props} placeholder="2024-01-29" pick={(_, day) => day} />

interface DatedProps extends InputProps {
  readonly placeholder: string
  readonly pick: (text: string, day: string) => string
}

function Dated({ value, onChange, pick, description, ...input }: DatedProps) {
  const [isOpen, setIsOpen] = useState(false)
  const text = typeof value === 'string' ? value : ''
  const change = (next: string) => onChange(next === '' ? undefined : next)
  const said = text.length > 10 ? inUtc(text) : ''
  return (
    <TextInput
      {...input}
      description={said === '' ? description : said}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={
        <Popover opened={isOpen} onChange={setIsOpen} trapFocus withinPortal>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Calendar for ${inSentence(input.label)}`}
              onClick={() => setIsOpen(!isOpen)}
            >
              <svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" aria-hidden="true">
                <path d="M2.5 4.5h11v9h-11zM2.5 7.5h11M5.5 2.5v3M10.5 2.5v3" />
              </svg>
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <DatePicker
              value={dayOf(text)}
              {...(dayOf(text) && { defaultDate: dayOf(text) ?? '' })}
              onChange={(day) => {
                if (day) change(pick(text, day))
                setIsOpen(false)
              }}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  )
}
