import { Button, Group, Modal, SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { listQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Faults, sortFaults } from '../../ui/faults.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { renewRules } from '../rule-actions.ts'
import { ConfigurationCard } from './configuration-card.tsx'
import { ConfigurationFields } from './configuration-fields.tsx'
import { type Configuration, configurationsPath, POLICIES, type Policy } from './policy.ts'
import {
  CONFIGURATION_FIELDS,
  type ConfigurationValues,
  configurationValues,
  newConfiguration,
} from './policy-values.ts'
import { writeConfiguration } from './write-configurations.ts'

interface ConfigurationsTabProps {
  readonly policy: Policy
  /** Whether they are only shown, not changed. */
  readonly isSummary?: boolean
}

/** The configurations of a policy, as cards that can be changed one by one. */
export function ConfigurationsTab({ policy, isSummary = false }: ConfigurationsTabProps) {
  const mayChange = useMay()(`modify ${POLICIES.permission}`) && !isSummary
  const [edited, setEdited] = useState<ConfigurationValues | null>(null)
  const list = useQuery(listQuery<Configuration>(configurationsPath(policy.id), { sort: 'id' }))
  const add = (
    <Button leftSection={<Icon name="plus" />} onClick={() => setEdited(newConfiguration('new', []))}>
      Add configuration
    </Button>
  )
  return (
    <Stack gap="sm">
      <LoadFault query={list} />
      {list.isPending && <Skeleton h={140} role="status" aria-label="Loading configurations" />}
      {list.data?.data.length === 0 && (
        <EmptyState title="No configurations yet" action={mayChange && add}>
          A configuration says which types and sources are compared, and how their unified entities are composed.
          Without one, the policy joins nothing.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <>
          {mayChange && <Group justify="flex-end">{add}</Group>}
          <SimpleGrid cols={{ base: 1, lg: list.data.data.length > 1 ? 2 : 1 }} style={{ alignItems: 'start' }}>
            {list.data.data.map((configuration, i) => (
              <ConfigurationCard
                key={configuration.id}
                policy={policy}
                configuration={configuration}
                title={list.data.data.length > 1 ? `Configuration ${i + 1}` : 'Configuration'}
                onEdit={mayChange ? () => setEdited(configurationValues(configuration)) : undefined}
              />
            ))}
          </SimpleGrid>
        </>
      )}
      {edited && <ConfigurationDialog policy={policy} initial={edited} onClose={() => setEdited(null)} />}
    </Stack>
  )
}

interface ConfigurationDialogProps {
  readonly policy: Policy
  readonly initial: ConfigurationValues
  readonly onClose: () => void
}

function ConfigurationDialog({ policy, initial, onClose }: ConfigurationDialogProps) {
  const [values, setValues] = useState(initial)
  const saved = useMutation({
    mutationFn: () => writeConfiguration(policy.id, values),
    onSuccess: async () => {
      showToast('Configuration saved. Existing entities are being compared again.')
      onClose()
      await renewRules(POLICIES)
    },
  })
  const faults = sortFaults(saved.error, CONFIGURATION_FIELDS)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!saved.isPending) saved.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={initial.id === undefined ? 'New configuration' : 'Edit configuration'}
      size="xl"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <Faults texts={faults.others} />
          <ConfigurationFields
            values={values}
            set={(change) => setValues((before) => ({ ...before, ...change }))}
            faults={faults.fields}
          />
          <FormActions
            submit={initial.id === undefined ? 'Add configuration' : 'Save changes'}
            isSending={saved.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  )
}
