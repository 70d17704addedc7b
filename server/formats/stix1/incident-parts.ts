/** The timestamps of an incident, by their STIX names. */
export const INCIDENT_TIMES = [
  'First_Malicious_Action',
  'Initial_Compromise',
  'First_Data_Exfiltration',
  'Incident_Discovery',
  'Incident_Opened',
  'Containment_Achieved',
  'Restoration_Achieved',
  'Incident_Reported',
  'Incident_Closed',
] as const

/** The vocabulary terms of an impact assessment, grouped by the summary that contains them. */
export const IMPACT_SUMMARIES = {
  Direct_Impact_Summary: ['Asset_Losses', 'Business-Mission_Disruption', 'Response_And_Recovery_Costs'],
  Indirect_Impact_Summary: [
    'Loss_Of_Competitive_Advantage',
    'Brand_And_Market_Damage',
    'Increased_Operating_Costs',
    'Legal_And_Regulatory_Costs',
  ],
} as const

/** Converts an element name to a field name. */
export const fieldOf = (name: string): string => name.toLowerCase().replaceAll('-', '_')

/** The elements that estimate losses. */
export const LOSS_ESTIMATIONS = ['Initial_Reported_Total_Loss_Estimation', 'Actual_Total_Loss_Estimation'] as const
