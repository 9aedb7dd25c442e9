/* The files of src/report/page/browser and third_party/uplot, as texts of the program
 * (cmake/embed.cmake).
 */
#ifndef CRM_ASSETS_H
#define CRM_ASSETS_H

extern const unsigned char crm_asset_uPlot_iife_min_js[], crm_asset_uPlot_min_css[];
extern const unsigned char crm_asset_page_css[];
extern const unsigned char crm_asset_base_js[], crm_asset_export_js[], crm_asset_table_js[],
    crm_asset_chart_js[], crm_asset_scene_js[], crm_asset_player_js[], crm_asset_map_js[],
    crm_asset_motion_js[], crm_asset_headline_js[], crm_asset_impact_js[], crm_asset_solve_js[],
    crm_asset_simulate_js[], crm_asset_sweep_js[], crm_asset_fit_js[], crm_asset_admissible_js[],
    crm_asset_reproduce_js[];

#endif
