import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { FileZone } from '../../attack/file-zone.tsx'
import { refangValue } from '../../domain/observables.ts'
import { MAX_ATTACHMENT_SIZE } from '../../intelligence/entity/attachment-upload.ts'
import { sizeInWords } from '../../ui/size-in-words.ts'
import type { Sample } from './sample.ts'

/** Whether a sandbox can open an address; the server has the last word. */
const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address) && URL.canParse(address)

/** Selects the sample: a file, dropped or selected, or a URL. */
export function SampleChoice({ onSample }: { readonly onSample: (sample: Sample) => void }) {
  const [url, setUrl] = useState('')
  const [fault, setFault] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const address = refangValue('uri', url.trim())
    if (isWebAddress(address)) onSample({ via: 'url', url: address })
    else setFault('Enter an address that begins with http:// or https://, defanged or not.')
  }
  return (
    <Stack>
      <FileZone
        accept=""
        label="Select file"
        hint={`or drop it here, up to ${sizeInWords(MAX_ATTACHMENT_SIZE)}`}
        onFile={(file) => onSample({ via: 'upload', file })}
      />
      <Text size="sm" c="dimmed">
        The sample is stored, but never opened here. Its download is a zip archive that is encrypted with the password
        “infected”, so that it is not run by accident.
      </Text>
      <form onSubmit={submit} noValidate>
        <Group align={fault ? 'center' : 'flex-end'} gap="sm">
          <TextInput
            label="Or a URL"
            placeholder="https://… or hxxps://…"
            value={url}
            error={fault}
            onChange={({ currentTarget }) => {
              setUrl(currentTarget.value)
              setFault(undefined)
            }}
            style={{ flex: '1 1 14rem' }}
          />
          <Button type="submit" variant="default" disabled={url.trim() === ''}>
            Continue
          </Button>
        </Group>
      </form>
    </Stack>
  )
}
