import { json, name, refs, strings, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { stamps } from '../../engine/stamps.ts'
import { csvConfig, csvUrl, defaultFieldValues, mappings } from './mapping.ts'

export const csvMappings = defineResource({
  collection: 'csv_mappings',
  title: 'CSV mapping',
  doc: 'How the columns of CSV files become entities and observables.',
  permission: 'configurations',
  key: ['name'],
  fields: {
    name: name(),
    mappings: json(mappings).required(),
    columns: strings().describe('The columns of the file, in order.'),
    config: json(csvConfig).default(csvConfig.parse({})),
    csv_url: text().accepts(csvUrl).nullable().describe('The address of a sample file.'),
    default_field_values: json(defaultFieldValues).default({}).describe('Values for every row.'),
    description: text().nullable(),
    incoming_feeds: refs('incoming_feeds', 'csv_mapping_incoming_feeds')
      .readOnly()
      .describe('The feeds that use the mapping.'),
    ...stamps,
  },
  example: {
    name: 'Phishing pages of our sector',
    mappings: [
      { column_name: 'url', vendor_fields: ['extracts.uri'], parameters: { maliciousness: 'high' } },
      { column_name: 'seen', vendor_fields: ['meta.estimated_observed_time'], parameters: { time_format: '%Y-%m-%d' } },
    ],
    columns: ['url', 'seen'],
    config: { delimiter: ';', tags_delimiter: '|' },
    default_field_values: { type: 'indicator' },
  },
})
