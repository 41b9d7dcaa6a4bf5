/** Clusters on the command line: files and shorthands such as {@code 64x8xV100}. */
@NullMarked
package io.github.liquidscheduler.cli.cluster;

import org.jspecify.annotations.NullMarked;
