# softalign_part(NAME [FROM GLOB...] [EXCLUDE REGEX...] [USES PART...] [LINK LIBRARY...])
#
# The library softalign_NAME made of the sources that the globs name, by default src/NAME/**/*.cc.
# Headers are included from src/, as "NAME/file.h". A part of headers only is an INTERFACE library.
# USES and LINK are public: whoever uses a part may include what that part's headers include.
function(softalign_part name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FROM;EXCLUDE;USES;LINK")
  if(NOT arg_FROM)
    set(arg_FROM src/${name}/*.cc)
  endif()
  list(TRANSFORM arg_FROM PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${arg_FROM})
  foreach(pattern IN LISTS arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  list(TRANSFORM arg_USES PREPEND softalign_)

  set(target softalign_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PUBLIC ${arg_USES} ${arg_LINK} PRIVATE softalign_warnings)
  else()
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} INTERFACE ${arg_USES} ${arg_LINK})
  endif()
endfunction()

# softalign_without_training(NAME...)
#
# For each of the parts softalign_NAME a softalign_NAME_inference of the same sources, in which a graph never
# trains, so that the compiler leaves out all gradients. Parts among NAME use each other's such library.
function(softalign_without_training)
  foreach(name IN LISTS ARGN)
    get_target_property(sources softalign_${name} SOURCES)
    get_target_property(links softalign_${name} INTERFACE_LINK_LIBRARIES)
    list(FILTER links EXCLUDE REGEX "LINK_ONLY")
    foreach(other IN LISTS ARGN)
      list(TRANSFORM links REPLACE "^softalign_${other}$" "softalign_${other}_inference")
    endforeach()
    set(target softalign_${name}_inference)
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${sources})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${target} PUBLIC SOFTALIGN_INFERENCE_ONLY)
    target_link_libraries(${target} PUBLIC ${links} PRIVATE softalign_warnings)
  endforeach()
endfunction()
