/** The default vocabularies of STIX 1.2. A value that names one of them must be one of its words. */
export const VOCABULARIES = {
  'ReportIntentVocab-1.0':
    'Collective Threat Intelligence|Threat Report|Indicators|Indicators - Phishing|' +
    'Indicators - Watchlist|Indicators - Malware Artifacts|Indicators - Network Activity|' +
    'Indicators - Endpoint Characteristics|Campaign Characterization|Threat Actor Characterization|' +
    'Exploit Characterization|Attack Pattern Characterization|Malware Characterization|' +
    'TTP - Infrastructure|TTP - Tools|Courses of Action|Incident|Observations|Observations - Email|' +
    'Malware Samples',
  'HighMediumLowVocab-1.0': 'High|Medium|Low|None|Unknown',
  'MalwareTypeVocab-1.0':
    'Automated Transfer Scripts|Adware|Dialer|Bot|Bot - Credential Theft|Bot - DDoS|Bot - Loader|' +
    'Bot - Spam|DoS / DDoS|DoS / DDoS - Participatory|DoS / DDoS - Script|' +
    'DoS / DDoS - Stress Test Tools|Exploit Kits|POS / ATM Malware|Ransomware|Remote Access Trojan|' +
    'Rogue Antivirus|Rootkit',
  'IndicatorTypeVocab-1.1':
    'Malicious E-mail|IP Watchlist|File Hash Watchlist|Domain Watchlist|URL Watchlist|' +
    'Malware Artifacts|C2|Anonymization|Exfiltration|Host Characteristics|Compromised PKI Certificate|' +
    'Login Name|IMEI Watchlist|IMSI Watchlist',
  'COAStageVocab-1.0': 'Remedy|Response',
  'CampaignStatusVocab-1.0': 'Ongoing|Historic|Future',
  'IncidentStatusVocab-1.0':
    'New|Open|Stalled|Containment Achieved|Restoration Achieved|Incident Reported|Closed|Rejected|' + 'Deleted',
  'SecurityCompromiseVocab-1.0': 'Yes|Suspected|No|Unknown',
  'DiscoveryMethodVocab-2.0':
    'Agent Disclosure|External - Fraud Detection|Monitoring Service|Law Enforcement|Customer|' +
    'Unrelated Party|Audit|Antivirus|Incident Response|Financial Audit|Internal - Fraud Detection|' +
    'HIPS|IT Audit|Log Review|NIDS|Security Alarm|User|Unknown',
  'AvailabilityLossTypeVocab-1.1.1': 'Destruction|Loss|Interruption|Degradation|Acceleration|Obscuration|Unknown',
  'LossDurationVocab-1.0': 'Permanent|Weeks|Days|Hours|Minutes|Seconds|Unknown',
  'OwnershipClassVocab-1.0': 'Internally-Owned|Employee-Owned|Partner-Owned|Customer-Owned|Unknown',
  'ManagementClassVocab-1.0': 'Internally-Managed|Externally-Management|Co-Management|Unknown',
  'LocationClassVocab-1.0': 'Internally-Located|Externally-Located|Co-Located|Mobile|Unknown',
  'ImpactQualificationVocab-1.0': 'Insignificant|Distracting|Painful|Damaging|Catastrophic|Unknown',
  'ImpactRatingVocab-1.0': 'None|Minor|Moderate|Major|Unknown',
  'AssetTypeVocab-1.0':
    'Backup|Database|DHCP|Directory|DCS|DNS|File|Log|Mail|Mainframe|Payment switch|POS controller|' +
    'Print|Proxy|Remote access|SCADA|Web application|Server|Access reader|Camera|Firewall|HSM|IDS|' +
    'Broadband|PBX|Private WAN|PLC|Public WAN|RTU|Router or switch|SAN|Telephone|VoIP adapter|LAN|' +
    'WLAN|Network|Auth token|ATM|Desktop|PED pad|Gas terminal|Laptop|Media|Mobile phone|Peripheral|' +
    'POS terminal|Kiosk|Tablet|VoIP phone|User Device|Tapes|Disk media|Documents|Flash drive|' +
    'Disk drive|Smart card|Payment card|Administrator|Auditor|Call center|Cashier|Customer|Developer|' +
    'End-user|Executive|Finance|Former employee|Guard|Helpdesk|Human resources|Maintenance|Manager|' +
    'Partner|Person|Unknown',
  'AttackerInfrastructureTypeVocab-1.0':
    'Anonymization|Anonymization - Proxy|Anonymization - TOR Network|Anonymization - VPN|' +
    'Communications|Communications - Blogs|Communications - Forums|' +
    'Communications - Internet Relay Chat|Communications - Micro-Blogs|' +
    'Communications - Mobile Communications|Communications - Social Networks|' +
    'Communications - User-Generated Content Websites|Domain Registration|' +
    'Domain Registration - Dynamic DNS Services|' +
    'Domain Registration - Legitimate Domain Registration Services|' +
    'Domain Registration - Malicious Domain Registrars|' +
    'Domain Registration - Top-Level Domain Registrars|Hosting|Hosting - Bulletproof / Rogue Hosting|' +
    'Hosting - Cloud Hosting|Hosting - Compromised Server|Hosting - Fast Flux Botnet Hosting|' +
    'Hosting - Legitimate Hosting|Electronic Payment Methods',
  'SystemTypeVocab-1.0':
    'Enterprise Systems|Enterprise Systems - Application Layer|Enterprise Systems - Database Layer|' +
    'Enterprise Systems - Enterprise Technologies and Support Infrastructure|' +
    'Enterprise Systems - Network Systems|Enterprise Systems - Networking Devices|' +
    'Enterprise Systems - Web Layer|Enterprise Systems - VoIP|Industrial Control Systems|' +
    'Industrial Control Systems - Equipment Under Control|' +
    'Industrial Control Systems - Operations Management|' +
    'Industrial Control Systems - Safety, Protection and Local Control|' +
    'Industrial Control Systems - Supervisory Control|Mobile Systems|' +
    'Mobile Systems - Mobile Operating Systems|Mobile Systems - Near Field Communications|' +
    'Mobile Systems - Mobile Devices|Third-Party Services|Third-Party Services - Application Stores|' +
    'Third-Party Services - Cloud Services|Third-Party Services - Security Vendors|' +
    'Third-Party Services - Social Media|Third-Party Services - Software Update|Users|' +
    'Users - Application And Software|Users - Workstation|Users - Removable Media',
  'InformationTypeVocab-1.0':
    'Information Assets|Information Assets - Corporate Employee Information|' +
    'Information Assets - Customer PII|Information Assets - Email Lists / Archives|' +
    'Information Assets - Financial Data|Information Assets - Intellectual Property|' +
    'Information Assets - Mobile Phone Contacts|Information Assets - User Credentials|' +
    'Authentication Cookies',
  'ThreatActorTypeVocab-1.0':
    'Cyber Espionage Operations|Hacker|Hacker - White hat|Hacker - Gray hat|Hacker - Black hat|' +
    'Hacktivist|State Actor / Agency|eCrime Actor - Credential Theft Botnet Operator|' +
    'eCrime Actor - Credential Theft Botnet Service|eCrime Actor - Malware Developer|' +
    'eCrime Actor - Money Laundering Network|eCrime Actor - Organized Crime Actor|' +
    'eCrime Actor - Spam Service|eCrime Actor - Traffic Service|' +
    'eCrime Actor - Underground Call Service|Insider Threat|Disgruntled Customer / User',
  'MotivationVocab-1.1':
    'Ideological|Ideological - Anti-Corruption|Ideological - Anti-Establishment|' +
    'Ideological - Environmental|Ideological - Ethnic / Nationalist|Ideological - Information Freedom|' +
    'Ideological - Religious|Ideological - Security Awareness|Ideological - Human Rights|Ego|' +
    'Financial or Economic|Military|Opportunistic|Political',
  'IntendedEffectVocab-1.0':
    'Advantage|Advantage - Economic|Advantage - Military|Advantage - Political|Theft|' +
    'Theft - Intellectual Property|Theft - Credential Theft|Theft - Identity Theft|' +
    'Theft - Theft of Proprietary Information|Account Takeover|Brand Damage|Competitive Advantage|' +
    'Degradation of Service|Denial and Deception|Destruction|Disruption|Embarrassment|Exposure|' +
    'Extortion|Fraud|Harassment|ICS Control|Traffic Diversion|Unauthorized Access',
  'PlanningAndOperationalSupportVocab-1.0.1':
    'Data Exploitation|Data Exploitation - Analytic Support|Data Exploitation - Translation Support|' +
    'Financial Resources|Financial Resources - Academic|Financial Resources - Commercial|' +
    'Financial Resources - Government|Financial Resources - Hacktivist or Grassroot|' +
    'Financial Resources - Non-Attributable Finance|Skill Development / Recruitment|' +
    'Skill Development / Recruitment - Contracting and Hiring|' +
    'Skill Development / Recruitment - Document Exploitation (DOCEX) Training|' +
    'Skill Development / Recruitment - Internal Training|' +
    'Skill Development / Recruitment - Military Programs|' +
    'Skill Development / Recruitment - Security / Hacker Conferences|' +
    'Skill Development / Recruitment - Underground Forums|' +
    'Skill Development / Recruitment - University Programs|Planning|Planning - Operational Cover Plan|' +
    'Planning - Open-Source Intelligence (OSINT) Gathering|' +
    'Planning - Pre-Operational Surveillance and Reconnaissance|Planning - Target Selection',
  'IncidentEffectVocab-1.0':
    'Brand or Image Degradation|Loss of Competitive Advantage|' +
    'Loss of Competitive Advantage - Economic|Loss of Competitive Advantage - Military|' +
    'Loss of Competitive Advantage - Political|Data Breach or Compromise|Degradation of Service|' +
    'Destruction|Disruption of Service / Operations|Financial Loss|' +
    'Loss of Confidential / Proprietary Information or Intellectual Property|' +
    'Regulatory, Compliance or Legal Impact|Unintended Access|User Data Loss',
  'AttackerToolTypeVocab-1.0':
    'Malware|Penetration Testing|Port Scanner|Traffic Scanner|Vulnerability Scanner|' +
    'Application Scanner|Password Cracking',
  'IncidentCategoryVocab-1.0':
    'Exercise/Network Defense Testing|Unauthorized Access|Denial of Service|Malicious Code|' +
    'Improper Usage|Scans/Probes/Attempted Access|Investigation',
  'LossPropertyVocab-1.0': 'Confidentiality|Integrity|Availability|Accountability|Non-Repudiation',
  'CourseOfActionTypeVocab-1.0':
    'Perimeter Blocking|Internal Blocking|Redirection|Redirection (Honey Pot)|Hardening|Patching|' +
    'Eradication|Rebuilding|Training|Monitoring|Physical Access Restrictions|' +
    'Logical Access Restrictions|Public Disclosure|Diplomatic Actions|Policy Actions|Other',
  'ThreatActorSophisticationVocab-1.0': 'Innovator|Expert|Practitioner|Novice|Aspirant',
  'InformationSourceRoleVocab-1.0': 'Initial Author|Content Enhancer/Refiner|Aggregator|Transformer/Translator',
} as const

/** The name of a default vocabulary. */
export type Vocabulary = keyof typeof VOCABULARIES

/** Whether a word is in a default vocabulary. */
export const isInVocabulary = (vocabulary: Vocabulary, word: string): boolean => wordsOf(vocabulary).has(word)

/** The words of a default vocabulary. */
export function wordsOf(vocabulary: Vocabulary): ReadonlySet<string> {
  let words = sets.get(vocabulary)
  if (!words) {
    words = new Set(VOCABULARIES[vocabulary].split('|'))
    sets.set(vocabulary, words)
  }
  return words
}

const sets = new Map<Vocabulary, ReadonlySet<string>>()
