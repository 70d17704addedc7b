import { Alert, Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ErrorFaults } from '../../ui/faults.tsx'
import { FileZone } from '../file-zone.tsx'
import { MATRICES } from '../matrices.ts'
import { type Framework, frameworkName } from './framework.ts'
import { type Origin, previewVersion } from './load-version.ts'

const WAYS = [
  { value: 'file', label: 'File' },
  { value: 'official', label: 'Official address' },
  { value: 'url', label: 'Other address' },
]

interface ChooseVersionProps {
  readonly frameworks: readonly Framework[]
  /** The matrix whose official version is offered first. */
  readonly matrix: string
  readonly onClose: () => void
}

/** Chooses a version, compares it with the stored one, and opens the report. Nothing is changed before that report is confirmed. */
export function ChooseVersion({ frameworks, matrix: first, onClose }: ChooseVersionProps) {
  const navigate = useNavigate()
  const [way, setWay] = useState('file')
  const [matrix, setMatrix] = useState(first)
  const [url, setUrl] = useState('')
  const [version, setVersion] = useState('')
  const comparing = useRef<AbortController>(undefined)
  // A comparison that ends after the dialog would take the user away from another page.
  useEffect(() => () => comparing.current?.abort(), [])
  const compared = useMutation({
    mutationFn: (origin: Origin) => {
      comparing.current = new AbortController()
      return previewVersion(origin, comparing.current.signal)
    },
    onSuccess: ({ id }) => void navigate({ to: `/attack/frameworks/${id}` }),
  })
  const address = frameworks.find((framework) => framework.matrix === matrix)?.url
  const versionField = (
    <TextInput
      label="Version"
      description="Only if the document does not say which version it is."
      placeholder="18.1"
      value={version}
      onChange={({ currentTarget }) => setVersion(currentTarget.value.trim())}
    />
  )
  const choose = (next: string) => {
    setWay(next)
    compared.reset()
  }
  return (
    <Modal opened onClose={onClose} title="Load another version" size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          The version is compared with the one that is stored. You see what changes and what of yours is affected before
          anything is changed.
        </Text>
        <SegmentedControl
          fullWidth
          aria-label="Where the version comes from"
          data={WAYS}
          value={way}
          onChange={choose}
        />
        {way === 'file' && (
          <>
            {versionField}
            <FileZone
              accept=".json,.gz,.zip,application/json"
              label="Select bundle"
              hint="STIX 2.0 or 2.1 of ATT&CK or DISARM, also as gzip or zip"
              isLoading={compared.isPending}
              onFile={(file) => compared.mutate({ file, version })}
            />
          </>
        )}
        {way === 'official' && (
          <>
            <Select
              label="Framework"
              data={MATRICES.map(({ value }) => ({ value, label: frameworkName(value) }))}
              value={matrix}
              allowDeselect={false}
              onChange={(next) => setMatrix(next ?? first)}
            />
            {address && (
              <Text size="xs" c="dimmed" className="code">
                {address}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              The server downloads the bundle. Where it has no access to the internet, download it yourself and select
              the file.
            </Text>
            <Submit isLoading={compared.isPending} onClick={() => compared.mutate({ matrix })} />
          </>
        )}
        {way === 'url' && (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              compared.mutate({ url: url.trim(), version })
            }}
          >
            <Stack gap="sm">
              <TextInput
                label="Address"
                type="url"
                required
                placeholder="https://"
                value={url}
                onChange={({ currentTarget }) => setUrl(currentTarget.value)}
              />
              {versionField}
              <Submit isLoading={compared.isPending} />
            </Stack>
          </form>
        )}
        {compared.isPending && (
          <Alert color="gray" variant="light" role="status">
            Comparing the versions. This can take half a minute for a large bundle.
          </Alert>
        )}
        <ErrorFaults error={compared.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const Submit = ({ isLoading, onClick }: { readonly isLoading: boolean; readonly onClick?: () => void }) => (
  <Button
    type={onClick ? 'button' : 'submit'}
    loading={isLoading}
    {...(onClick && { onClick })}
    style={{ alignSelf: 'flex-start' }}
  >
    Compare versions
  </Button>
)
