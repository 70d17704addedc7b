import { Button, Group, Input, Paper, Textarea } from '@mantine/core'
import { lazy, Suspense, useId, useState } from 'react'
import { inSentence } from '../ui/in-sentence.ts'
import { PlainText } from '../ui/plain-text.tsx'
import type { InputProps } from './input-props.ts'

// A form must stay usable while the server is down: without the renderer, the preview shows plain text.
const RichText = lazy(async () => ({
  default: await import('../ui/rich-text.tsx').then(
    (loaded) => loaded.RichText,
    () => PlainText,
  ),
}))

/** A long text with a preview. */
export function LongText({ value, onChange, label, withAsterisk, ...input }: InputProps) {
  const [isPreview, setIsPreview] = useState(false)
  const id = useId()
  const text = typeof value === 'string' ? value : ''
  return (
    <div>
      <Group justify="space-between" mb={2}>
        <Input.Label htmlFor={id} required={withAsterisk}>
          {label}
        </Input.Label>
        {text !== '' && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-pressed={isPreview}
            aria-label={`${isPreview ? 'Write' : 'Preview'} ${inSentence(label)}`}
            onClick={() => setIsPreview(!isPreview)}
          >
            {isPreview ? 'Write' : 'Preview'}
          </Button>
        )}
      </Group>
      {isPreview ? (
        <Paper withBorder p="sm" mih={64}>
          <Suspense>
            <RichText text={text} />
          </Suspense>
        </Paper>
      ) : (
        <Textarea
          {...input}
          id={id}
          autosize
          minRows={3}
          maxRows={20}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
        />
      )}
    </div>
  )
}
