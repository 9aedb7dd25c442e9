# Siconos' numerics library, if it is installed: an independent judge of the complementarity solver
# in test_lcp_siconos and a companion in bench_lcp. Without it both say so and do without.
# Usage: carom_use_siconos(<target>)
find_path(SICONOS_NUMERICS_INCLUDE LinearComplementarityProblem.h PATH_SUFFIXES siconos/numerics)
find_path(SICONOS_CONFIG_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
find_library(SICONOS_NUMERICS_LIBRARY siconos_numerics)
mark_as_advanced(SICONOS_NUMERICS_INCLUDE SICONOS_CONFIG_INCLUDE SICONOS_NUMERICS_LIBRARY)

function(carom_use_siconos target)
  if(SICONOS_NUMERICS_INCLUDE AND SICONOS_CONFIG_INCLUDE AND SICONOS_NUMERICS_LIBRARY)
    target_include_directories(${target} SYSTEM PRIVATE
      ${SICONOS_NUMERICS_INCLUDE} ${SICONOS_CONFIG_INCLUDE})
    target_link_libraries(${target} PRIVATE ${SICONOS_NUMERICS_LIBRARY})
  endif()
endfunction()
