-- What every policy asks reads settings alone. Unmarked, it kept each query of the API's role from a plan with workers: the
-- distribution of a million scores under new weights took a second on one core while another was idle.
alter function assay_workspace() parallel safe;
alter function assay_all_brands() parallel safe;
alter function assay_brands() parallel safe;
