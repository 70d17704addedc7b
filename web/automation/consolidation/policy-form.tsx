import { Button, Group, Paper, Skeleton, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { listQuery } from '../../api/lists.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NameSelect } from '../../ui/name-select.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { EditRulePage, NewRulePage, RuleEditor } from '../rule-editor.tsx'
import { ConfigurationFields } from './configuration-fields.tsx'
import { type Configuration, configurationsPath, POLICIES, type Policy } from './policy.ts'
import { PolicyPreviewPanel } from './policy-preview.tsx'
import { type PolicyForm, usePolicyForm } from './use-policy-form.ts'
import { usePolicyPreview } from './use-policy-preview.ts'

const NONE: readonly Configuration[] = []

/** The page for a new consolidation policy. */
export const NewPolicy = () => <NewRulePage<Policy> kind={POLICIES} form={NewForm} />

/** The page that changes a consolidation policy. */
export const EditPolicy = () => <EditRulePage<Policy> kind={POLICIES} form={EditForm} />

const NewForm = () => <Form policy={undefined} configurations={NONE} />

function EditForm({ rule }: { readonly rule?: Policy }) {
  const list = useQuery({
    ...listQuery<Configuration>(configurationsPath(rule?.id ?? 0), { sort: 'id' }),
    enabled: rule !== undefined,
    // The form starts with what is stored, not with what was cached.
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  if (list.error) return <LoadFault query={list} />
  if (!list.data || !list.isFetchedAfterMount) return <Skeleton h={300} role="status" aria-label="Loading" />
  return <Form policy={rule} configurations={list.data.data} />
}

interface FormProps {
  readonly policy: Policy | undefined
  readonly configurations: readonly Configuration[]
}

function Form({ policy, configurations }: FormProps) {
  const navigate = useNavigate()
  const form = usePolicyForm({
    policy,
    configurations,
    onSaved: ({ id }) => {
      showToast(policy ? 'Changes saved' : 'Consolidation policy created')
      void navigate({ to: `${POLICIES.page}/${id}` })
    },
  })
  const { values, set, fields } = form
  const live = usePolicyPreview(values, policy?.id)
  return (
    <RuleEditor kind={POLICIES} rule={policy} form={form} preview={<PolicyPreviewPanel {...live} />}>
      <NameSelect
        of="groups"
        label="Merge group"
        description="Unified entities get the source of this group. Only its members see them, and only if they may see every contributor."
        required
        value={values.mergeGroup}
        error={fields.merge_group}
        onChange={(mergeGroup) => set({ mergeGroup })}
      />
      <TextInput
        label="Name"
        placeholder="Named after the merge group"
        value={values.name}
        error={fields.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4">
            Configurations
          </Title>
          <Text size="sm" c="dimmed">
            Which entities are compared, and how their unified entity is composed. No two configurations may cover the
            same type of the same source.
          </Text>
        </div>
        {values.configurations.map((configuration, i) => (
          <ConfigurationPart key={configuration.key} form={form} at={i} />
        ))}
        <Group>
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={form.addConfiguration}>
            Add configuration
          </Button>
        </Group>
      </Stack>
      <Switch
        label="Active"
        description="An inactive policy joins nothing further. What it has joined stays joined."
        checked={values.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </RuleEditor>
  )
}

function ConfigurationPart({ form, at }: { readonly form: PolicyForm; readonly at: number }) {
  const { values, set, setConfiguration, faultsOf } = form
  const configuration = values.configurations[at]
  if (!configuration) return null
  const { key } = configuration
  const name = `Configuration ${at + 1}`
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          {values.configurations.length > 1 && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name.toLowerCase()}`}
              onClick={() => set({ configurations: values.configurations.filter((each) => each.key !== key) })}
            >
              Remove
            </Button>
          )}
        </Group>
        <ConfigurationFields
          values={configuration}
          set={(change) => setConfiguration(key, change)}
          faults={faultsOf(key)}
        />
      </Stack>
    </Paper>
  )
}
