! Predicts one case from arrays to arrays with a trained model, in Fortran, through the module of plumecast.f90.
!
!   example_05_predict models/radial-co2
!
! 1 Mt of CO2 per year for 30 years into 100 m of homogeneous rock, as example 03_predict.c has it. Prints how far the gas
! reaches at the end, and the largest build-up of pressure.

program predict
    use, intrinsic :: iso_c_binding
    use plumecast
    implicit none
    integer, parameter :: rows = 32, columns = 64, steps = 24
    real(c_float), target :: r_edges(columns + 1), z_edges(rows + 1), times(steps)
    real(c_float), target :: horizontal(rows * columns), vertical(rows * columns), porosity(rows * columns)
    real(c_float), target :: perforation(rows * columns), active(rows * columns), numbers(6)
    real(c_float), target :: saturation(rows * columns * steps), buildup(rows * columns * steps)
    integer(c_int64_t), target :: one(1) = [1_c_int64_t], map(3), field(4)
    character(kind=c_char, len=17), target :: names(2)
    type(c_ptr) :: device, model, cases
    type(plumecast_named) :: outputs(2)
    character(len=1024) :: path
    integer :: i, row, column
    real :: reach

    path = "models/radial-co2"
    if (command_argument_count() > 0) call get_command_argument(1, path)
    call plumecast_require(plumecast_device_open(c_char_"auto" // c_null_char, c_null_ptr, device))
    call plumecast_require(plumecast_model_load(device, trim(path) // c_null_char, model))
    call plumecast_require(plumecast_cases_create(cases))

    ! Columns from 4 m to 100 km, rows of 6.25 m, times from a day to 30 years.
    r_edges(1:2) = [0.1, 4.0]
    do i = 3, columns + 1
        r_edges(i) = r_edges(i - 1) * 1.1743
    end do
    r_edges(columns + 1) = 100e3
    z_edges = [(200.0 * i / rows, i = 0, rows)]
    times = [(1.4984**i, i = 0, steps - 1)]
    times(steps) = 10950.0
    call set_axis("r_edges", "m", r_edges)
    call set_axis("z_edges", "m", z_edges)
    call set_axis("times", "day", times)

    ! The upper 100 m belong to the formation; the well is open in their lower half.
    active = 0.0
    active(1:rows / 2 * columns) = 1.0
    horizontal = 100.0 * active
    vertical = 10.0 * active
    porosity = 0.2 * active
    perforation = 0.0
    perforation(rows / 4 * columns + 1:rows / 2 * columns:columns) = 1.0
    map = [1_c_int64_t, int(rows, c_int64_t), int(columns, c_int64_t)]
    call set("permeability_r", "mD", horizontal, map)
    call set("permeability_z", "mD", vertical, map)
    call set("porosity", "1", porosity, map)
    call set("perforation", "1", perforation, map)
    call set("active", "1", active, map)
    numbers = [1.0, 150.0, 60.0, 0.2, 0.5, 100.0]
    call set("injection_rate", "Mt/year", numbers(1:1), one)
    call set("initial_pressure", "bar", numbers(2:2), one)
    call set("temperature", "degC", numbers(3:3), one)
    call set("irreducible_water_saturation", "1", numbers(4:4), one)
    call set("van_genuchten_lambda", "1", numbers(5:5), one)
    call set("thickness", "m", numbers(6:6), one)

    field = [1_c_int64_t, int(steps, c_int64_t), int(rows, c_int64_t), int(columns, c_int64_t)]
    names(1) = "gas_saturation" // c_null_char
    names(2) = "pressure_buildup" // c_null_char
    outputs(1)%name = c_loc(names(1))
    outputs(1)%array = plumecast_array_of(saturation, field)
    outputs(2)%name = c_loc(names(2))
    outputs(2)%array = plumecast_array_of(buildup, field)
    call plumecast_require(plumecast_predict(model, cases, outputs, 2_c_size_t, c_null_ptr))

    reach = 0.0
    do row = 1, rows
        do column = 1, columns
            i = (steps - 1) * rows * columns + (row - 1) * columns + column
            if (saturation(i) > 0.01) reach = max(reach, r_edges(column + 1)) ! NaN where inactive
        end do
    end do
    print '(a, i0, a, f0.1, a)', "after 30 years: gas out to ", nint(reach), " m, largest build-up ", &
        maxval(buildup, mask=buildup > 0.0), " bar"

    call plumecast_cases_release(cases)
    call plumecast_model_release(model)
    call plumecast_device_release(device)

contains

    subroutine set(name, unit, values, shape)
        character(len=*), intent(in) :: name, unit
        real(c_float), target, contiguous, intent(in) :: values(:)
        integer(c_int64_t), target, contiguous, intent(in) :: shape(:)
        call plumecast_require(plumecast_cases_set(cases, name // c_null_char, unit // c_null_char, &
            plumecast_array_of(values, shape)))
    end subroutine

    subroutine set_axis(name, unit, entries)
        character(len=*), intent(in) :: name, unit
        real(c_float), target, contiguous, intent(in) :: entries(:)
        integer(c_int64_t), target :: shape(1)
        shape = size(entries)
        call set(name, unit, entries, shape)
    end subroutine
end program
