import { NumberInput, Select, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { EnrichmentRule } from '../../api/resources.ts'
import { ScheduleFields } from '../../forms/schedule-fields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { EditRulePage, NewRulePage, RuleEditor } from '../rule-editor.tsx'
import { ENRICHMENT_RULES } from '../rule-kind.ts'
import { useRuleForm } from '../use-rule-form.ts'
import { CriteriaFields } from './criteria-fields.tsx'
import { OrderedEnrichers } from './ordered-enrichers.tsx'
import { bodyOf, FAULT_NAMES, formOf, NEW_RULE, type RuleFormValues } from './rule-form-values.ts'
import { RulePreview } from './rule-preview.tsx'
import { STOPS, TIME_FIELDS } from './rule-words.ts'

/** The page for a new enrichment rule. */
export const NewEnrichmentRule = () => <NewRulePage<EnrichmentRule> kind={ENRICHMENT_RULES} form={RuleForm} />

/** The page that changes an enrichment rule. */
export const EditEnrichmentRule = () => <EditRulePage<EnrichmentRule> kind={ENRICHMENT_RULES} form={RuleForm} />

/** The props of the sections of the form. */
export interface RuleFieldsProps {
  readonly values: RuleFormValues
  readonly set: (change: Partial<RuleFormValues>) => void
  readonly faults: Readonly<Record<string, string>>
}

function RuleForm({ rule }: { readonly rule?: EnrichmentRule }) {
  const navigate = useNavigate()
  const form = useRuleForm<RuleFormValues>({
    kind: ENRICHMENT_RULES,
    id: rule?.id,
    initial: rule ? formOf(rule) : NEW_RULE,
    fields: FAULT_NAMES,
    bodyOf,
    onSaved: ({ id }) => {
      showToast(rule ? 'Changes saved' : 'Enrichment rule created')
      void navigate({ to: `/enrichment-rules/${id}` })
    },
  })
  const { values, set, fields: faults } = form
  return (
    <RuleEditor kind={ENRICHMENT_RULES} rule={rule} form={form} preview={<RulePreview values={values} />}>
      <TextInput
        label="Name"
        required
        autoFocus
        value={values.name}
        error={faults.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <Textarea
        label="Description"
        autosize
        minRows={1}
        value={values.description}
        error={faults.description}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <CriteriaFields values={values} set={set} faults={faults} />
      <OrderedEnrichers values={values} set={set} faults={faults} />
      <Select
        label="Stop at verdict"
        description="Enrichers are asked one after the other until one gives a verdict at least this strong, which saves calls."
        placeholder="Ask all enrichers"
        data={STOPS}
        clearable
        clearButtonProps={{ 'aria-label': 'Ask all enrichers' }}
        value={values.stopAt || null}
        error={faults.stop_at}
        onChange={(value) => set({ stopAt: value ?? '' })}
      />
      <Retroactive values={values} set={set} faults={faults} />
      <Switch
        label="Active"
        description="An active rule looks up new data as it arrives."
        checked={values.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </RuleEditor>
  )
}

/** Whether existing data is looked up, which of it, and when. */
function Retroactive({ values, set, faults }: RuleFieldsProps) {
  return (
    <>
      <Switch
        label="Also look up existing data"
        description="With “Run now”, or on a schedule. Valid results are reused."
        checked={values.isRetroactive}
        onChange={({ currentTarget }) => set({ isRetroactive: currentTarget.checked })}
      />
      {faults.is_retroactive && (
        <Text size="xs" c="red">
          {faults.is_retroactive}
        </Text>
      )}
      {values.isRetroactive && <ScheduleFields values={values} set={set} error={faults.execution_schedule} />}
      {values.isRetroactive && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Time field"
            data={TIME_FIELDS.map(({ value, label }) => ({ value, label }))}
            clearable
            placeholder="None"
            value={values.timeField || null}
            error={faults.time_field}
            onChange={(value) => set(value === null ? { timeField: '', timePeriod: '' } : { timeField: value })}
          />
          <NumberInput
            label="Period (days)"
            placeholder="Everything"
            min={1}
            allowDecimal={false}
            disabled={values.timeField === ''}
            value={values.timePeriod}
            error={faults.time_period}
            onChange={(value) => set({ timePeriod: String(value) })}
          />
        </SimpleGrid>
      )}
    </>
  )
}
