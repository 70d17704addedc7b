import {
  ActionIcon,
  Button,
  Group,
  PasswordInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Table,
  TagsInput,
  Text,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { oneQuery } from '../api/lists.ts'
import { TLP_OPTIONS } from '../domain/tlp.ts'
import { Faults } from '../ui/faults.tsx'
import { FileButton } from '../ui/file-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { NameSelect, NamesSelect } from '../ui/name-select.tsx'
import { sizeInWords } from '../ui/size-in-words.ts'
import { guessFormat } from './file-facts.ts'
import { uploadFile } from './upload.ts'
import { fieldsOf, NO_OPTIONS, type UploadOptions } from './upload-options.ts'
import { uploads } from './uploads.ts'

interface UploadDialogProps {
  readonly files: readonly File[]
  readonly onFiles: (files: readonly File[]) => void
  readonly workspace: string
  readonly onClose: () => void
}

/** Selects files to upload and sets how they are processed. */
export function UploadDialog({ files, onFiles, workspace, onClose }: UploadDialogProps) {
  const [options, setOptions] = useState<UploadOptions>({
    ...NO_OPTIONS,
    workspaces: workspace === '' ? [] : [workspace],
  })
  const { data: limits } = useQuery(oneQuery<{ largest_file: number | null }>('files/limits'))
  const largest = limits?.largest_file ?? Number.POSITIVE_INFINITY
  const tooLarge = files.filter(({ size }) => size > largest)
  const start = () => {
    const fields = fieldsOf(options)
    uploads.add(files, (file, onProgress, signal) => uploadFile(file, fields, onProgress, signal))
    onClose()
  }
  return (
    <Stack gap="sm">
      <Group>
        <FileButton onChange={(added) => onFiles([...files, ...added])} multiple>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Icon name="plus" />} data-autofocus>
              Select files
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop them here{Number.isFinite(largest) && `, up to ${sizeInWords(largest)} each`}
        </Text>
      </Group>
      {files.length > 0 && <Chosen files={files} largest={largest} onFiles={onFiles} />}
      <Faults texts={tooLarge.map(({ name }) => `${name} exceeds the maximum size of ${sizeInWords(largest)}.`)} />
      <Options
        value={options}
        onChange={setOptions}
        hasArchive={files.some(({ name }) => guessFormat(name).isArchive)}
        hasTable={files.some(({ name }) => /\.(csv|tsv|txt)$/i.test(name))}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          onClick={start}
          disabled={files.length === 0 || tooLarge.length > 0}
          leftSection={<Icon name="upload" />}
        >
          Upload {files.length > 1 ? `${files.length} files` : 'file'}
        </Button>
      </Group>
    </Stack>
  )
}

interface ChosenProps {
  readonly files: readonly File[]
  readonly largest: number
  readonly onFiles: (files: readonly File[]) => void
}

function Chosen({ files, largest, onFiles }: ChosenProps) {
  return (
    <Table aria-label="Selected files" verticalSpacing={4}>
      <Table.Tbody>
        {files.map((file) => (
          <Table.Tr key={`${file.name} ${file.size} ${file.lastModified}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{file.name}</Table.Td>
            <Table.Td
              c={file.size > largest ? 'var(--mantine-color-error)' : 'dimmed'}
              style={{ whiteSpace: 'nowrap' }}
            >
              {sizeInWords(file.size)}
            </Table.Td>
            <Table.Td c="dimmed">{guessFormat(file.name).guess}</Table.Td>
            <Table.Td w={40}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Remove ${file.name}`}
                onClick={() => onFiles(files.filter((each) => each !== file))}
              >
                <Icon name="close" size={12} />
              </ActionIcon>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface OptionsProps {
  readonly value: UploadOptions
  readonly onChange: (options: UploadOptions) => void
  readonly hasArchive: boolean
  readonly hasTable: boolean
}

function Options({ value, onChange, hasArchive, hasTable }: OptionsProps) {
  const change = (changes: Partial<UploadOptions>) => onChange({ ...value, ...changes })
  return (
    <Stack gap="sm">
      <Switch
        label="Import entities and observables"
        description="If switched off, the files are only stored."
        checked={value.process}
        onChange={({ currentTarget: { checked } }) => change({ process: checked })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NameSelect
          of="sources"
          label="Source"
          placeholder="Your first group"
          value={value.source}
          onChange={(source) => change({ source })}
        />
        <Select
          label="TLP"
          placeholder="From the file"
          data={TLP_OPTIONS}
          value={value.tlp_color || null}
          onChange={(tlp) => change({ tlp_color: tlp ?? '' })}
          clearable
        />
        <NamesSelect
          of="workspaces"
          label="Workspaces"
          placeholder="Visible only to you"
          value={value.workspaces}
          onChange={(workspaces) => change({ workspaces })}
        />
        <TagsInput
          label="Tags"
          placeholder="Added to imported entities"
          value={[...value.tags]}
          onChange={(tags) => change({ tags })}
        />
        {hasTable && (
          <NameSelect
            of="csv-mappings"
            label="CSV mapping"
            placeholder="Automatic, by column names"
            value={value.csv_mapping}
            onChange={(csv_mapping) => change({ csv_mapping })}
          />
        )}
        {hasArchive && (
          <PasswordInput
            label="Archive password"
            autoComplete="off"
            value={value.password}
            onChange={({ currentTarget }) => change({ password: currentTarget.value })}
          />
        )}
      </SimpleGrid>
    </Stack>
  )
}
