import { Button, Modal, Select, SimpleGrid, Skeleton, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../api/call.ts'
import type { IncomingFeed, OutgoingFeed } from '../api/resources.ts'
import { ScheduleFields } from '../forms/schedule-fields.tsx'
import { FormFault } from '../generic/values.ts'
import { ErrorFaults, Faults, sortFaults } from '../ui/faults.tsx'
import { FormActions } from '../ui/form-actions.tsx'
import { bodyOf, type FeedFieldsProps, type FeedFormValues, faultNames, formOf, newFeed } from './feed-form-values.ts'
import type { FeedKind } from './feed-queries.ts'
import { IncomingFields } from './incoming-fields.tsx'
import { MoreSettings, useMoreSettings } from './more-settings.tsx'
import { OutgoingFields } from './outgoing-fields.tsx'
import { TransportFields } from './transport-fields.tsx'
import type { TransportForm } from './transport-form.ts'
import { useTransports } from './use-transports.ts'

type Feed = IncomingFeed | OutgoingFeed

interface FeedFormProps {
  readonly kind: FeedKind
  /** The feed to edit; absent for a new one. */
  readonly feed?: Feed | undefined
  readonly onClose: () => void
  readonly onSaved: (feed: Feed) => void
}

/** Fields that this form renders itself. */
const OWN = {
  incoming: Object.keys(bodyOf('incoming', newFeed('incoming', []), [])),
  outgoing: Object.keys(bodyOf('outgoing', newFeed('outgoing', []), [])),
}

/** Creates or changes a feed; its fields depend on the transport. */
export function FeedForm(props: FeedFormProps) {
  const { kind, feed, onClose } = props
  const { transports, error, isFetching, refetch } = useTransports(kind)
  return (
    <Modal opened onClose={onClose} title={feed ? `Settings of ${feed.name}` : `New ${kind} feed`} size="xl">
      {transports.length > 0 ? (
        <LoadedForm {...props} transports={transports} />
      ) : error ? (
        <Stack align="flex-start">
          <ErrorFaults error={error} />
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </Stack>
      ) : (
        <Skeleton h={300} role="status" aria-label="Loading" />
      )}
    </Modal>
  )
}

interface LoadedFormProps extends FeedFormProps {
  readonly transports: readonly TransportForm[]
}

function LoadedForm({ kind, feed, onClose, onSaved, transports }: LoadedFormProps) {
  const [values, setValues] = useState(() => (feed ? formOf(kind, feed, transports) : newFeed(kind, transports)))
  const set = (change: Partial<FeedFormValues>) => setValues((before) => ({ ...before, ...change }))
  const more = useMoreSettings(kind, OWN[kind], feed && { ...feed })
  const saved = useMutation({
    mutationFn: async () => {
      const path = feed ? `${kind}-feeds/${feed.id}` : `${kind}-feeds`
      const data = { ...more.sent(), ...bodyOf(kind, values, transports) }
      return (await call<{ data: Feed }>(feed ? 'PATCH' : 'POST', path, { data })).data
    },
    onSuccess: onSaved,
  })
  const { fields: faults, others } =
    saved.error instanceof FormFault
      ? { fields: saved.error.faults, others: [] }
      : sortFaults(saved.error, [...faultNames(values, transports), ...more.paths])
  const transport = transports.find(({ type }) => type === values.transport)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saved.mutate()
  }
  // The server validates more strictly than browsers do, and its errors are shown at the field.
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Faults texts={others} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Name"
            required
            data-autofocus
            autoFocus
            value={values.name}
            error={faults.name}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <Select
            label="Transport"
            description={transport?.help}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={transports.map(({ type, label }) => ({ value: type, label }))}
            value={values.transport}
            allowDeselect={false}
            onChange={(value) => set({ transport: value ?? values.transport })}
          />
        </SimpleGrid>
        {transport && (
          <TransportFields
            key={transport.type}
            transport={transport}
            texts={values.texts}
            faults={faults}
            onChange={(name, text) => setValues((before) => ({ ...before, texts: { ...before.texts, [name]: text } }))}
          />
        )}
        <CommonFields values={values} set={set} faults={faults} />
        {kind === 'incoming' ? (
          <IncomingFields values={values} set={set} faults={faults} />
        ) : (
          <OutgoingFields values={values} set={set} faults={faults} />
        )}
        <MoreSettings settings={more} faults={faults} />
        <FormActions submit={feed ? 'Save changes' : 'Create feed'} isSending={saved.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** The fields common to incoming and outgoing feeds. */
function CommonFields({ values, set, faults }: FeedFieldsProps) {
  return (
    <>
      <ScheduleFields values={values} set={set} error={faults.execution_schedule} />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        value={values.description}
        error={faults.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <Switch
        label="Active"
        checked={values.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </>
  )
}
