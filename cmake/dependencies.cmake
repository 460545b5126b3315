# Where other people's code comes from. scripts/toolchain.sh puts it into .toolchain/ where it can;
# elsewhere CMake finds it on the system or fetches it.
include(FetchContent)
set(SOFTALIGN_TOOLCHAIN ${PROJECT_SOURCE_DIR}/.toolchain CACHE PATH "Folder that scripts/toolchain.sh filled")

# --- SentencePiece: one version natively and in WASM, or token ids would differ ------------------
if(NOT FETCHCONTENT_SOURCE_DIR_SENTENCEPIECE AND EXISTS ${SOFTALIGN_TOOLCHAIN}/sentencepiece/CMakeLists.txt)
  set(FETCHCONTENT_SOURCE_DIR_SENTENCEPIECE ${SOFTALIGN_TOOLCHAIN}/sentencepiece)
endif()
FetchContent_Declare(sentencepiece
  GIT_REPOSITORY https://github.com/google/sentencepiece.git
  GIT_TAG v0.1.97
  GIT_SHALLOW ON)
set(SPM_ENABLE_SHARED OFF)
set(SPM_ENABLE_TCMALLOC OFF)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)   # the two lines above override its options
set(CMAKE_POLICY_VERSION_MINIMUM 3.5)   # it asks for CMake 3.1, which CMake 4 refuses
set(CMAKE_WARN_DEPRECATED OFF CACHE BOOL "" FORCE)
FetchContent_GetProperties(sentencepiece)
if(NOT sentencepiece_POPULATED)
  FetchContent_Populate(sentencepiece)
  # EXCLUDE_FROM_ALL: its five commands are not ours to build.
  add_subdirectory(${sentencepiece_SOURCE_DIR} ${sentencepiece_BINARY_DIR} EXCLUDE_FROM_ALL)
endif()
if(SOFTALIGN_SANITIZE)
  # Hostile bytes reach what encodes, not the trainer.
  target_compile_options(sentencepiece-static PRIVATE ${no_pointer_checks} ${no_scope_checks})
  target_compile_options(sentencepiece_train-static PRIVATE -fno-sanitize=all)
endif()
foreach(library sentencepiece-static sentencepiece_train-static)
  target_compile_options(${library} PRIVATE -w)   # its warnings are not ours to mend
  # Its own sources spend their time on the headers they share; protobuf's cannot be compiled together.
  get_target_property(sources ${library} SOURCES)
  list(FILTER sources INCLUDE REGEX "/third_party/")
  set_source_files_properties(${sources} TARGET_DIRECTORY ${library} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  if(SOFTALIGN_SANITIZE)
    # Its protobuf copies nothing from nowhere: memcpy(to, null, 0). INTERFACE: some of it is inline.
    target_compile_options(${library} PUBLIC -fno-sanitize=nonnull-attribute)
  endif()
  # builtin_pb and protobuf-lite: token ranges come as its protocol buffer SentencePieceText.
  target_include_directories(${library} SYSTEM INTERFACE ${sentencepiece_SOURCE_DIR}/src
    ${sentencepiece_SOURCE_DIR}/src/builtin_pb ${sentencepiece_SOURCE_DIR}/third_party/protobuf-lite)
  if(EMSCRIPTEN)
    # It asks for threads, and a module that has them needs SharedArrayBuffer, so special headers
    # from the server. Encoding uses one thread.
    get_target_property(options ${library} COMPILE_OPTIONS)
    list(REMOVE_ITEM options -pthread)
    set_target_properties(${library} PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
endforeach()
if(EMSCRIPTEN)
  # Its own sources, not protobuf's or Abseil's, without what prints; and without files.
  set(quiet ${PROJECT_SOURCE_DIR}/cmake/sentencepiece)
  get_target_property(sources sentencepiece-static SOURCES)
  list(REMOVE_ITEM sources filesystem.cc)
  set_target_properties(sentencepiece-static PROPERTIES SOURCES "${sources};${quiet}/no_files.cc")
  target_include_directories(sentencepiece-static PRIVATE ${sentencepiece_SOURCE_DIR}/src)
  list(FILTER sources EXCLUDE REGEX "/")
  list(TRANSFORM sources PREPEND ${sentencepiece_SOURCE_DIR}/src/)
  set_source_files_properties(${sources} TARGET_DIRECTORY sentencepiece-static PROPERTIES
    COMPILE_OPTIONS "-include;${quiet}/quiet_streams.h")
endif()

# softalign_header_library(NAME HEADER PACKAGE PACKAGE_TARGET REPOSITORY TAG)
# A header-only library as the target softalign_NAME: from the toolchain folder, else the system's
# (natively only: a cross build must not see /usr/include), else fetched.
function(softalign_header_library name header package package_target minimum repository tag)
  add_library(softalign_${name} INTERFACE)
  if(EXISTS ${SOFTALIGN_TOOLCHAIN}/include/${header})
    target_include_directories(softalign_${name} SYSTEM INTERFACE ${SOFTALIGN_TOOLCHAIN}/include)
    return()
  endif()
  if(NOT EMSCRIPTEN)
    find_package(${package} ${minimum} QUIET)
  endif()
  if(${package}_FOUND)
    target_link_libraries(softalign_${name} INTERFACE ${package_target})
    return()
  endif()
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
  endif()
  target_include_directories(softalign_${name} SYSTEM INTERFACE ${${name}_SOURCE_DIR}/include)
endfunction()

softalign_header_library(xsimd xsimd/xsimd.hpp xsimd xsimd 13.2
  https://github.com/xtensor-stack/xsimd.git 13.2.0)
softalign_header_library(json nlohmann/json.hpp nlohmann_json nlohmann_json::nlohmann_json 3.10
  https://github.com/nlohmann/json.git v3.11.2)
if(NOT EMSCRIPTEN)
  softalign_header_library(cli11 CLI/CLI.hpp CLI11 CLI11::CLI11 2.1
    https://github.com/CLIUtils/CLI11.git v2.3.2)
endif()

# --- ICU: splits text into sentences in the native command; JavaScript has Intl.Segmenter ---------
if(NOT EMSCRIPTEN)
  find_package(ICU COMPONENTS uc data REQUIRED)
  find_package(Threads REQUIRED)
endif()

# --- GoogleTest: built with our flags, from Debian's source package where there is one ------------
if(SOFTALIGN_TESTS)
  if(NOT FETCHCONTENT_SOURCE_DIR_GOOGLETEST AND EXISTS /usr/src/googletest/CMakeLists.txt)
    set(FETCHCONTENT_SOURCE_DIR_GOOGLETEST /usr/src/googletest)
  endif()
  FetchContent_Declare(googletest
    GIT_REPOSITORY https://github.com/google/googletest.git
    GIT_TAG release-1.12.1
    GIT_SHALLOW ON)
  set(INSTALL_GTEST OFF)
  set(BUILD_GMOCK OFF)
  if(EMSCRIPTEN)
    set(gtest_disable_pthreads ON)
  endif()
  FetchContent_GetProperties(googletest)
  if(NOT googletest_POPULATED)
    FetchContent_Populate(googletest)
    add_subdirectory(${googletest_SOURCE_DIR} ${googletest_BINARY_DIR} EXCLUDE_FROM_ALL)
    # It is the quick compile that counts, and nobody looks for bugs here.
    target_compile_options(gtest PRIVATE -w -O1 $<$<BOOL:${SOFTALIGN_SANITIZE}>:-fno-sanitize=all>)
  endif()
endif()
