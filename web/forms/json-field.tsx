import { Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { InputProps } from './input-props.ts'
import { isDocument, isSame } from './paths.ts'

const BROKEN = 'Enter valid JSON.'
const NO_OBJECT = 'Enter a JSON object in curly brackets.'

const written = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

type Read = { readonly value: unknown } | { readonly fault: string }

function read(text: string, mustBeObject: boolean): Read {
  if (text.trim() === '') return { value: undefined }
  try {
    const value: unknown = JSON.parse(text)
    return mustBeObject && !isDocument(value) ? { fault: NO_OBJECT } : { value }
  } catch {
    return { fault: BROKEN }
  }
}

interface JsonFieldProps extends InputProps {
  readonly mustBeObject?: boolean
}

/** A JSON editor for values that have no other input. Invalid text is kept and blocks the form from being submitted. */
export function JsonField({ value, onChange, error, mustBeObject = false, ...input }: JsonFieldProps) {
  const [text, setText] = useState(() => written(value))
  const place = useRef<HTMLTextAreaElement>(null)
  const found = read(text, mustBeObject)
  const fault = 'fault' in found ? found.fault : ''
  useEffect(() => place.current?.setCustomValidity(fault), [fault])
  // A value that differs from the text came from elsewhere, such as the removal of a previous list item.
  if ('value' in found && !isSame(found.value, value)) setText(written(value))
  return (
    <Textarea
      {...input}
      ref={place}
      classNames={{ input: 'code' }}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      placeholder="JSON"
      value={text}
      error={fault === '' ? error : fault}
      onChange={(event) => {
        const next = event.currentTarget.value
        const now = read(next, mustBeObject)
        setText(next)
        if ('value' in now) onChange(now.value)
      }}
    />
  )
}
