/**
 * Tables as files of comma-separated values: {@link
 * io.github.liquidscheduler.training.table.CsvTable}.
 */
@NullMarked
package io.github.liquidscheduler.training.table;

import org.jspecify.annotations.NullMarked;
