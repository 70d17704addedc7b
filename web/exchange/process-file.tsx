import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { idOf } from '../api/lists.ts'
import type { File as StoredFile } from '../api/resources.ts'
import { Faults } from '../ui/faults.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { choiceField } from '../ui/form-fields.ts'
import { Icon } from '../ui/icon.tsx'
import { NameSelect } from '../ui/name-select.tsx'
import { useForm } from '../ui/use-form.ts'
import { guessFormat } from './file-facts.ts'

/** Processes a file again, optionally with a password or a CSV mapping. */
export function ProcessFile({ file }: { readonly file: StoredFile }) {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<Icon name="refresh" />} onClick={() => setIsAsked(true)}>
        {file.status ? 'Reprocess' : 'Process'}
      </Button>
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={`Process “${file.name}”`}>
        <ProcessForm file={file} onDone={() => setIsAsked(false)} />
      </Modal>
    </>
  )
}

interface ProcessFormProps {
  readonly file: StoredFile
  readonly onDone: () => void
}

function ProcessForm({ file, onDone }: ProcessFormProps) {
  const isArchive = guessFormat(file.name).isArchive || ['zip', 'gzip', 'tar'].includes(file.format ?? '')
  const mapping = file.csv_mapping ? idOf(file.csv_mapping) : ''
  const form = useForm(
    { password: '', csv_mapping: mapping },
    async ({ password, csv_mapping }) => {
      const data = {
        ...(password !== '' && { password }),
        ...(csv_mapping !== mapping && { csv_mapping: csv_mapping === '' ? null : Number(csv_mapping) }),
      }
      if (Object.keys(data).length > 0) await call('PATCH', `files/${file.id}`, { data })
      await call('POST', `files/${file.id}/process`)
    },
    () => {
      onDone()
      void invalidate('files')
    },
  )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="sm">
        <Text size="sm">
          The file is read again. Entities that were imported before are updated if they have changed.
        </Text>
        <Faults texts={form.faults.others} />
        {isArchive && <PasswordInput label="Archive password" autoComplete="off" {...form.field('password')} />}
        <NameSelect
          of="csv-mappings"
          label="CSV mapping"
          placeholder="Automatic, by column names"
          {...choiceField(form, 'csv_mapping')}
        />
        <FormActions submit="Process file" isSending={form.isSending} onCancel={onDone} />
      </Stack>
    </form>
  )
}
